# The commands of a day, as README.md and CONTRIBUTING.md name them. `just` lists them.

_list:
    @just --list --unsorted

# Format and lint, as CI does
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Format in place
format:
    cargo fmt --all

# Tests that have WORD in their names, such as spec_4_6
test word:
    cargo test {{ word }}

# The tests beside the rules
unit *words:
    cargo test --lib {{ words }}

# The integration tests, or those of one subject
it *words:
    cargo test --test it {{ words }}

# Simulated lives of accounts
simulation seeds="1000":
    SIMULATION_SEEDS={{ seeds }} cargo test --test simulation

# One simulated life again, with what happened
seed number:
    SIMULATION_SEED={{ number }} cargo test --test simulation one_seed -- --nocapture

# The model of departments, from the labelled titles, and what it is worth
train-titles:
    TRAIN_TITLES=1 cargo test --package sources --lib the_model_is_what_its_rows_make -- --nocapture

# The house rules: rooms, sizes, documents
tidy:
    cargo test --test tidy

# Readers of what strangers write, each for some SECONDS
fuzz seconds="60":
    FUZZ_SECONDS={{ seconds }} cargo test --package sources fuzz::target

# The same, led by coverage
fuzz-guided seconds="60" *targets:
    tests/fuzz_guided {{ seconds }} {{ targets }}

# The public API against its document
fuzz-api:
    .ci/fuzz_api

# The client libraries: their types, and against the service
clients:
    clients/check

# Benchmarks, or those with one of WORDS in their names
bench *words:
    cargo bench -- {{ words }}

# The whole service with sample companies
demo *arguments:
    cargo run --release -- demo {{ arguments }}

# The documents as a book
book:
    mdbook serve docs --open

# All that must hold before a change goes in
all:
    .ci/run
