//! The command line: one file per subcommand.
//!
//! Duty: read the arguments and the settings, hand over to the subcommand, turn its outcome into an exit code. No rule
//! of the service is here.

mod admin;
pub mod api_client;
mod backup;
mod customer;
pub mod demo;
mod failure;
mod init;
mod ledger;
mod migrate;
mod output;
mod restore;
mod secrets;
mod serve;
mod settings;
mod shell;
mod sources;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::logging;
use config::Config;
use customer::{export, listen, mcp, preview, trigger};
use failure::Result;

/// Watches companies, people and industries on the public web and reports what is new
#[derive(Debug, Parser)]
#[command(name = "radar", version)]
struct Arguments {
    /// A file with settings, laid over the built-in ones and config/default.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print data as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service until it is told to end (the default)
    Serve(serve::Arguments),
    /// Write a file with every setting and a key for the operator, and say what to do next
    Init(init::Arguments),
    /// Run the whole service with sample companies and a receiver, and show what happens
    Demo(demo::Arguments),
    /// Bring the schema of the database up to date
    Migrate,
    /// Copy the SQLite database, also beside a running service. On PostgreSQL use pg_dump
    Backup(backup::Arguments),
    /// Put a backup in the place of the SQLite database, while no service uses it. On PostgreSQL use pg_restore
    Restore(restore::Arguments),
    /// Sources of findings
    #[command(subcommand)]
    Sources(sources::SourcesCommand),
    /// The settings
    #[command(subcommand)]
    Config(settings::ConfigCommand),
    /// The ledger
    #[command(subcommand)]
    Ledger(ledger::LedgerCommand),
    /// The secrets in the database
    #[command(subcommand)]
    Secrets(secrets::SecretsCommand),
    /// Receive webhooks on this machine while you write a receiver: verify their signatures, print them, pass them on
    Listen(listen::Arguments),
    /// Send a signed sample of a radar type to a receiver
    Trigger(trigger::Arguments),
    /// Ask a running service what a radar would find, without creating it
    Preview(preview::Arguments),
    /// Write the updates of an account as a file, from a running service
    Export(export::Arguments),
    /// Give AI agents the radars of an account as tools, on standard input and output (Model Context Protocol)
    Mcp(mcp::Arguments),
    /// Ask a running service why a radar finds nothing or ended, or why an update has not arrived
    Why(admin::why::Arguments),
    /// Ask or tell a running service through its operator API
    Admin(admin::Arguments),
    /// Print what completes the commands in a shell
    Completions(shell::Completions),
    /// Print the manual page, or write one for every command
    Man(shell::Man),
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let is_check = matches!(arguments.command, Some(Command::Ledger(_)));
    let as_json = arguments.json;
    match dispatch(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(is_check, as_json),
    }
}

fn dispatch(arguments: Arguments) -> Result<()> {
    if let Some(Command::Config(command)) = &arguments.command {
        return settings::run(arguments.config.as_deref(), command, arguments.json);
    }
    let mut config = Config::load(arguments.config.as_deref())?;
    let Some(command) = arguments.command else {
        init::introduce(&config)?;
        logging::start(&config)?;
        return serve::run(config, &serve::Arguments::default());
    };
    if matches!(
        command,
        Command::Demo(_)
            | Command::Listen(_)
            | Command::Trigger(_)
            | Command::Preview(_)
            | Command::Export(_)
            | Command::Mcp(_)
    ) {
        demo::quieten(&mut config.log)?;
    }
    logging::start(&config)?;
    match command {
        Command::Serve(command) => serve::run(config, &command),
        Command::Init(command) => init::run(&command),
        Command::Demo(command) => demo::run(&command, &config.log),
        Command::Migrate => migrate::run(&config),
        Command::Backup(command) => backup::run(&config, &command, arguments.json),
        Command::Restore(command) => restore::run(&config, &command, arguments.json),
        Command::Sources(command) => sources::run(&config, &command, arguments.json),
        Command::Config(_) => Ok(()),
        Command::Ledger(command) => ledger::run(&config, &command, arguments.json),
        Command::Secrets(command) => secrets::run(&config, &command, arguments.json),
        Command::Listen(command) => listen::run(command, arguments.json),
        Command::Trigger(command) => trigger::run(&command, arguments.json),
        Command::Preview(command) => preview::run(&config, &command, arguments.json),
        Command::Export(command) => export::run(&config, &command),
        Command::Mcp(command) => mcp::run(&config, &command),
        Command::Why(command) => admin::why::run(&config, &command, arguments.json),
        Command::Admin(command) => admin::run(&config, &command, arguments.json),
        Command::Completions(command) => shell::completions(&command, Arguments::command()),
        Command::Man(command) => shell::man(&command, Arguments::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, CommandFactory};

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
