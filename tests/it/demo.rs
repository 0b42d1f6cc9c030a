//! `radar demo --all-types`, as somebody who tries the program would run it.

use std::process::{Command, Stdio};

use domain::radar_type::RadarType;

#[test]
fn a_radar_of_each_type_finds_something_in_the_sample_web() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut demo = Command::new(env!("CARGO_BIN_EXE_radar"));
    demo.args(["demo", "--all-types"]).current_dir(folder.path()).env_clear().stdin(Stdio::null());
    let output = demo.output().expect("the program");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{errors}");
    for radar_type in RadarType::ALL {
        let found = printed.lines().filter(|line| line.contains(&format!("found      {radar_type}: "))).count();
        assert_eq!(found, 1, "{radar_type} in {printed}");
    }
    assert!(printed.lines().any(|line| line.starts_with("console  ")), "{printed}");
    assert!(printed.contains("no public source shows profiles of LinkedIn or X"), "{printed}");
}

#[test]
fn the_first_finding_comes_with_a_console_to_look_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut demo = Command::new(env!("CARGO_BIN_EXE_radar"));
    demo.args(["demo", "--once"]).current_dir(folder.path()).env_clear().stdin(Stdio::null());
    let output = demo.output().expect("the program");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{errors}");
    assert_eq!(errors, "", "nothing is logged");
    for told in [
        "the month before today",
        "\nconsole       http://",
        "\n  sign in with  ",
        "the finding was pulled and pushed with equal bytes",
    ] {
        assert!(printed.contains(told), "{told} in {printed}");
    }
    // What is refused belongs to a customer of whom the timeline does not tell.
    assert!(!printed.contains("problem"), "{printed}");
}
