//! The page's scripts are checked by TypeScript's compiler, which reads their JSDoc.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One version for everybody: what passes here passes there.
const TYPESCRIPT: &str = "typescript@7.0.2";

/// TypeScript's compiler, installed into the folder for test files if it is not there yet.
fn compiler() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(TYPESCRIPT);
    let program = folder.join("node_modules/.bin/tsc");
    if !program.is_file() {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let install = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--prefix"])
            .arg(&folder)
            .arg(TYPESCRIPT)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("npm cannot be run: {error}"))?;
        if !install.status.success() {
            return Err(format!("npm could not install {TYPESCRIPT}"));
        }
    }
    Ok(program)
}

#[test]
fn the_scripts_are_sound() {
    let program = match compiler() {
        Ok(program) => program,
        Err(why) => return println!("skipped: {why}"),
    };
    let check = Command::new(program)
        .args(["--pretty", "false", "-p"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tsconfig.json"))
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}
