//! A trainer as bytes: a run that is stopped at any moment goes on from its last checkpoint as if nothing had happened.
//!
//! A checkpoint is a line that names it, a version, the length and the sum of what follows: the steps made, the caller's note, the
//! network as a file of KataGo's, and four vectors as long as it has weights. All numbers are little-endian.

use super::optimise::WeightState;
use super::plan::Untrainable;
use super::settings::TrainSettings;
use super::trainer::Trainer;
use model::net::file::{self, NetFileError};
use model::net::sample;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The first bytes of a checkpoint.
const MAGIC: &[u8; 16] = b"tengen trainer \n";
/// The version of the format.
const VERSION: u32 = 1;
/// The longest checkpoint that is read, in bytes.
const LONGEST: u64 = 1 << 34;

/// Why bytes are not a checkpoint that can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// They cannot be read.
    #[error("the checkpoint cannot be read: {0}")]
    Io(#[from] io::Error),
    /// They are something else.
    #[error("this is not a checkpoint of a trainer")]
    Foreign,
    /// A later program has written them.
    #[error("the checkpoint has version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The end is missing.
    #[error("the checkpoint ends after {found} of {expected} bytes")]
    Truncated {
        /// Bytes found.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// Some bytes have changed.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(&'static str),
    /// The network in it cannot be read.
    #[error("the network in the checkpoint: {0}")]
    Net(#[from] NetFileError),
    /// The network in it cannot be trained.
    #[error(transparent)]
    Untrainable(#[from] Untrainable),
}

impl Trainer {
    /// Writes everything that a run needs to go on but its settings.
    ///
    /// # Errors
    /// When `out` takes no more.
    pub fn write_checkpoint(&self, out: &mut impl Write) -> io::Result<()> {
        let payload = self.payload();
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(payload.len() as u64).to_le_bytes())?;
        out.write_all(&checksum(&payload).to_le_bytes())?;
        out.write_all(&payload)
    }

    fn payload(&self) -> Vec<u8> {
        let net = sample::write(&self.last_graph(), sample::Form::Binary);
        let WeightState { weights, first, second, averages } = &self.state;
        let mut out = Vec::with_capacity(net.len() + 16 * weights.len() + self.note.len() + 64);
        out.extend(self.n_steps.to_le_bytes());
        for bytes in [&self.note, &net] {
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
        for vector in [weights, first, second, averages] {
            out.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
        }
        out
    }

    /// Reads a checkpoint and goes on with these settings. With those it was written under the steps that follow are, bit for bit, those
    /// of a trainer that was never stopped.
    ///
    /// # Errors
    /// When the bytes are damaged, incomplete, or no checkpoint at all.
    pub fn read_checkpoint(mut from: impl Read, settings: TrainSettings) -> Result<Trainer, CheckpointError> {
        let mut header = Vec::new();
        from.by_ref().take(36).read_to_end(&mut header)?;
        let header = Bytes(&header).split(MAGIC.len()).filter(|(magic, _)| magic == MAGIC);
        let (_, mut header) = header.ok_or(CheckpointError::Foreign)?;
        let incomplete = CheckpointError::Damaged("its head is incomplete");
        let mut numbers = || Some((header.u32()?, header.u64()?, header.u64()?));
        let (version, expected, sum) = numbers().ok_or(incomplete)?;
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        if expected > LONGEST {
            return Err(CheckpointError::Damaged("it claims to be too long"));
        }
        let mut payload = Vec::new();
        from.take(expected + 1).read_to_end(&mut payload)?;
        let found = payload.len() as u64;
        if found < expected {
            return Err(CheckpointError::Truncated { found, expected });
        }
        if found > expected || checksum(&payload) != sum {
            return Err(CheckpointError::Damaged("its sum is another"));
        }
        Trainer::from_payload(Bytes(&payload), settings)
    }

    fn from_payload(mut payload: Bytes<'_>, settings: TrainSettings) -> Result<Trainer, CheckpointError> {
        let short = || CheckpointError::Damaged("a part is missing");
        let n_steps = payload.u64().ok_or_else(short)?;
        let note = payload.long().ok_or_else(short)?.to_vec();
        let graph = file::read(payload.long().ok_or_else(short)?)?;
        let mut trainer = Trainer::new(graph, settings)?;
        let n = trainer.state.weights.len();
        let WeightState { weights, first, second, averages } = &mut trainer.state;
        // Files of networks have no subnormal numbers; the trainer's own weights may.
        for vector in [weights, first, second, averages] {
            *vector = payload.vector(n).ok_or_else(short)?;
        }
        (trainer.n_steps, trainer.note) = (n_steps, note);
        if payload.0.is_empty() { Ok(trainer) } else { Err(CheckpointError::Damaged("something is left")) }
    }

    /// Writes a checkpoint to a file: after a fall at any moment it is the old one or the new one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_checkpoint(&self, path: &Path) -> io::Result<()> {
        replace_file(path, |file| self.write_checkpoint(file))
    }

    /// Reads a checkpoint from a file; see [`Trainer::read_checkpoint`].
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged or no checkpoint at all.
    pub fn load_checkpoint(path: &Path, settings: TrainSettings) -> Result<Trainer, CheckpointError> {
        Trainer::read_checkpoint(io::BufReader::new(File::open(path)?), settings)
    }
}

/// Replaces a file: writes beside it, waits until that is on the disk, and renames. Nobody ever sees half a file.
///
/// # Errors
/// When the folder cannot be written to, or `write` fails; the old file is left then.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let beside = path.with_file_name(name);
    let mut file = BufWriter::new(File::create(&beside)?);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&beside, path)?;
    // The rename itself is on the disk when the folder is. Where folders cannot be opened there is nothing to wait for.
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// FNV-1a over words of eight bytes, the last filled up with zeros.
fn checksum(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 32
    };
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(mix(0xcbf2_9ce4_8422_2325, bytes.len() as u64), mix)
}

/// Bytes that have not been read yet.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes, and the rest.
    fn split(self, n: usize) -> Option<(&'a [u8], Bytes<'a>)> {
        self.0.split_at_checked(n).map(|(first, rest)| (first, Bytes(rest)))
    }

    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.split(n)?;
        *self = rest;
        Some(first)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A length and as many bytes.
    fn long(&mut self) -> Option<&'a [u8]> {
        let n = usize::try_from(self.u64()?).ok()?;
        self.take(n)
    }

    fn vector(&mut self, n: usize) -> Option<Vec<f32>> {
        let bytes = self.take(n.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{random_graph, random_row, settings};
    use super::super::{Row, TrainSettings};
    use super::*;
    use goban::Rng;
    use model::net::graph::Activation;

    fn trained(n_steps: usize) -> (Trainer, Vec<Row>) {
        let mut rng = Rng::new(2);
        let rows: Vec<Row> = (0..40).map(|_| random_row(9, 9, &mut rng)).collect();
        let mut trainer = Trainer::new(random_graph("b2c16", Activation::Relu, 2), settings(1)).unwrap();
        steps(&mut trainer, &rows, n_steps);
        (trainer, rows)
    }

    fn steps(trainer: &mut Trainer, rows: &[Row], n_steps: usize) {
        for _ in 0..n_steps {
            trainer.step(&rows.iter().collect::<Vec<_>>()).unwrap();
        }
    }

    fn bytes(trainer: &Trainer) -> Vec<u8> {
        let mut bytes = Vec::new();
        trainer.write_checkpoint(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_as_if_nothing_had_happened() {
        let (undisturbed, rows) = trained(6);
        let (mut stopped, _) = trained(3);
        stopped.note = b"game 7".to_vec();
        let written = bytes(&stopped);
        drop(stopped);
        let mut resumed = Trainer::read_checkpoint(&written[..], settings(2)).unwrap();
        assert_eq!((resumed.n_steps(), &resumed.note[..]), (3, &b"game 7"[..]));
        assert!(bytes(&resumed) == written);
        steps(&mut resumed, &rows, 3);
        assert!(resumed.state == undisturbed.state && resumed.graph() == undisturbed.graph());
    }

    /// Names the file for the process that is to be killed.
    const VICTIM: &str = "TENGEN_TEST_CHECKPOINT";

    /// Trains and saves after every step until it is killed, in the process that the next test starts; elsewhere does nothing.
    #[test]
    fn victim() {
        let Some(path) = std::env::var_os(VICTIM) else { return };
        let (mut trainer, rows) = trained(0);
        for _ in 0..1000 {
            steps(&mut trainer, &rows, 1);
            trainer.save_checkpoint(Path::new(&path)).unwrap();
        }
    }

    #[test]
    fn a_process_that_is_killed_leaves_a_run_that_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.checkpoint");
        let mut process = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "net::checkpoint::tests::victim"])
            .env(VICTIM, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let found = (0..6000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            Trainer::load_checkpoint(&path, settings(1)).ok().filter(|trainer| trainer.n_steps() >= 3)
        });
        process.kill().unwrap();
        process.wait().unwrap();
        assert!(found.is_some(), "no checkpoint within a minute");
        let mut resumed = Trainer::load_checkpoint(&path, settings(1)).unwrap();
        let (undisturbed, rows) = trained(resumed.n_steps() as usize + 2);
        steps(&mut resumed, &rows, 2);
        assert!(resumed.state == undisturbed.state);
    }

    #[test]
    fn files_are_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.checkpoint");
        let (trainer, _) = trained(1);
        trainer.save_checkpoint(&path).unwrap();
        trainer.save_checkpoint(&path).unwrap();
        // A fall while writing leaves the old file.
        let fallen = replace_file(&path, |file| file.write_all(b"half").and(Err(io::Error::other("fall"))));
        assert!(fallen.is_err());
        let read = Trainer::load_checkpoint(&path, settings(1)).unwrap();
        assert!(read.state == trainer.state);
        assert!(Trainer::load_checkpoint(&folder.path().join("none"), settings(1)).is_err());
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let (trainer, _) = trained(0);
        let right = bytes(&trainer);
        let read = |bytes: &[u8]| Trainer::read_checkpoint(bytes, TrainSettings::default()).err().unwrap();
        assert!(matches!(read(b""), CheckpointError::Foreign));
        assert!(matches!(read(b"PK\x03\x04 something else altogether"), CheckpointError::Foreign));
        assert!(matches!(read(&right[..20]), CheckpointError::Damaged(_)));
        for n in [36, 100, right.len() / 2, right.len() - 1] {
            let expected = right.len() as u64 - 36;
            assert!(matches!(
                read(&right[..n]),
                CheckpointError::Truncated { found, expected: e } if found == n as u64 - 36 && e == expected
            ));
        }
        for n in (28..right.len()).step_by(right.len() / 50) {
            let mut wrong = right.clone();
            wrong[n] ^= 4;
            assert!(matches!(read(&wrong), CheckpointError::Damaged(_)), "byte {n}");
        }
        let mut later = right.clone();
        later[16] = 2;
        assert!(matches!(read(&later), CheckpointError::Version(2)));
        let mut longer = right.clone();
        longer.push(0);
        assert!(matches!(read(&longer), CheckpointError::Damaged(_)));
        let mut endless = right;
        endless[20..28].fill(0xff);
        assert!(matches!(read(&endless), CheckpointError::Damaged(_)));
    }
}
