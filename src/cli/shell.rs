//! `radar completions SHELL` and `radar man`: what a shell and `man` know of the commands, made of their table.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use super::failure::{Failure, Result};
use super::output;

/// The arguments of `radar completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell to complete in
    shell: Shell,
}

/// The arguments of `radar man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Write a page for every command into this folder instead of printing the first
    folder: Option<PathBuf>,
}

/// Prints the completions of `command`.
pub fn completions(arguments: &Completions, mut command: Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "radar", &mut script);
    output::write(&script).map(drop)
}

/// Prints the manual page of `command`, or writes those of it and of all its subcommands.
pub fn man(arguments: &Man, command: Command) -> Result<()> {
    if let Some(folder) = &arguments.folder {
        return clap_mangen::generate_to(command, folder).map_err(|error| Failure::of(folder.display(), error));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|error| Failure::of("the manual page", error))?;
    output::write(&page).map(drop)
}

#[cfg(test)]
mod tests {
    use super::{Man, man};
    use clap::Command;

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let command = Command::new("radar").subcommand(Command::new("serve"));
        man(&Man { folder: Some(folder.path().to_owned()) }, command).expect("written");
        for page in ["radar.1", "radar-serve.1"] {
            assert!(folder.path().join(page).is_file(), "{page}");
        }
    }
}
