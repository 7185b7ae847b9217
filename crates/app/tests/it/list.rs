//! `tengen list`: everything has a place in it, and recipes are printed in full.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

fn run(words: &[&str]) -> Result<String, String> {
    let output = cargo_bin_cmd!("tengen").arg("list").args(words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn every_family_variant_and_parameter_is_listed() {
    let text = run(&["--all"]).unwrap();
    let json: Value = serde_json::from_str(&run(&["--json"]).unwrap()).unwrap();
    let mut n_params = 0;
    let mut check_params = |owner: &Value| {
        for param in owner["params"].as_array().unwrap() {
            let line = format!("      {}=", param["key"].as_str().unwrap());
            assert!(text.contains(&line) && text.contains(param["doc"].as_str().unwrap()), "{param}");
            assert!(!param["default"].is_null(), "{param}");
            n_params += 1;
        }
    };
    check_params(&json["search"]);
    for family in json.as_object().unwrap().values().filter(|section| section["variants"].is_array()) {
        let name = family["name"].as_str().unwrap();
        assert!(text.contains(&format!("\n{name}: {}", family["doc"].as_str().unwrap())), "{name}");
        for variant in family["variants"].as_array().unwrap() {
            assert!(text.contains(&format!("\n  {}", variant["name"].as_str().unwrap())), "{variant}");
            check_params(variant);
        }
    }
    assert!(n_params >= 10, "{n_params}");
    assert!(text.contains("\n  default ") && text.contains("\n  tromp-taylor "), "{text}");
}

#[test]
fn all_names_are_seen_at_a_glance() {
    let text = run(&[]).unwrap();
    let json: Value = serde_json::from_str(&run(&["--json"]).unwrap()).unwrap();
    for family in json.as_object().unwrap().values().filter(|section| section["variants"].is_array()) {
        for variant in family["variants"].as_array().unwrap() {
            assert!(text.contains(&format!("\n  {} ", variant["name"].as_str().unwrap())), "{variant}");
            for param in variant["params"].as_array().unwrap() {
                assert!(text.contains(&format!("{}=", param["key"].as_str().unwrap())), "{variant}");
            }
        }
    }
    for part in [
        "\nselect=  ",
        "\nmodels.lwr.kernel=  ",
        "(default: mc)",
        "\nreward=  ",
        "\n  goyui-bma ",
        "tromp-taylor",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 150), "{text}");
    let all = run(&["--all"]).unwrap();
    assert!(text.lines().count() < all.lines().count());
}

#[test]
fn one_name_is_shown_alone() {
    let family = run(&["selector"]).unwrap();
    assert!(family.starts_with("selector: ") && !family.contains("\nmixer: "), "{family}");
    // The key that chooses from the family is as good as its name.
    assert_eq!(run(&["select"]).unwrap(), family);
    assert!(run(&["uct"]).unwrap().contains("exploration constant"));
    assert_eq!(run(&["UCT"]).unwrap(), run(&["uct"]).unwrap());
    assert_eq!(run(&["--all", "uct"]).unwrap(), run(&["uct"]).unwrap());
    assert!(run(&["Chinese"]).unwrap().starts_with("rules chinese\n  chinese "));
    let eye = run(&["eye"]).unwrap();
    assert!(eye.starts_with("parameter eye of ") && eye.contains("\n      eye="), "{eye}");
    assert!(run(&["default"]).unwrap().contains("models="));
    assert!(run(&["rules"]).unwrap().contains("ko=positional suicide=true"));
}

#[test]
fn keys_of_recipes_are_names_too() {
    for (key, name) in [
        ("leaf.policy", "policy"),
        ("models.lwr.kernel", "kernel"),
        ("models.lwr~2", "models.lwr"),
        ("Mixer.Bma", "bma"),
        ("selector.puct", "puct"),
    ] {
        assert_eq!(run(&[key]).unwrap(), run(&[name]).unwrap(), "{key}");
    }
    let lwr = run(&["models.lwr"]).unwrap();
    assert!(lwr.starts_with("estimator lwr\n") && !lwr.contains("bma-n"), "{lwr}");
    // The parameters of one place, and of all its variants that have one; other places have a `k` and a `c` as well.
    let all = run(&["select.c"]).unwrap();
    assert_eq!(all.matches("parameter c of ").count(), 7, "{all}");
    assert!(all.starts_with("parameter c of uct\n      c=0.9 "), "{all}");
    assert_eq!(
        run(&["select.uct.c"]).unwrap(),
        all.lines().take(2).map(|l| format!("{l}\n")).collect::<String>()
    );
    let k = run(&["mixer.k"]).unwrap();
    assert!(k.starts_with("parameter k of hand\n") && k.lines().count() == 2, "{k}");
    let eye: Value = serde_json::from_str(&run(&["leaf.policy.eye", "--json"]).unwrap()).unwrap();
    assert_eq!((&eye[0]["of"], &eye[1]["of"]), (&"uniform".into(), &"mogo".into()));
    for (key, hint) in [
        ("leaf.polcy", "did you mean `leaf.policy`?"),
        ("laef.policy", "did you mean `leaf`?"),
        ("mixer.q", "expected one of amaf-first, b, bma, "),
        ("select.c.x", "`select.c` has no parameters"),
        (".", "expected one of batch, cache, expand, fpu, "),
    ] {
        let error = run(&[key]).unwrap_err();
        assert!(error.contains(&format!("nothing is called `{key}`; {hint}")), "{error}");
    }
}

#[test]
fn unknown_names_are_met_with_the_nearest() {
    let error = run(&["mixr"]).unwrap_err();
    assert!(error.contains("nothing is called `mixr`; did you mean `mixer`?"), "{error}");
    for unlike in ["chess", "xyz", "q"] {
        let error = run(&[unlike]).unwrap_err();
        assert!(error.contains("`tengen list` alone shows all names"), "{error}");
    }
    let error = run(&["--recipe", "uct selct.c=1"]).unwrap_err();
    assert!(error.contains("did you mean `select`?"), "{error}");
}

#[test]
fn recipes_are_printed_in_full_and_read_back() {
    let full = run(&["--recipe", "uct select.c=0.25"]).unwrap();
    assert!(full.contains("select=uct select.c=0.25") && full.contains("leaf.policy=uniform"), "{full}");
    assert_eq!(run(&["--recipe", full.trim_end()]).unwrap(), full);
    let json: Value = serde_json::from_str(&run(&["--recipe", "default", "--json"]).unwrap()).unwrap();
    assert_eq!(json["values"]["select"], "uct");
}

#[test]
fn recipes_that_cannot_play_are_refused() {
    for (recipe, expected) in [
        ("select=puct", "`puct` cannot be used here: it needs a static probability P(a)"),
        ("models=mc+mc", "`mc` cannot be used here: models=mc+mc names it twice"),
        ("prior=flat-p select=chaslot", "it reads a model besides `mc`; add one, such as models=mc+rave"),
        ("", "the recipe is empty"),
    ] {
        let error = run(&["--recipe", recipe]).unwrap_err();
        assert!(error.contains(expected), "{recipe}: {error}");
    }
}
