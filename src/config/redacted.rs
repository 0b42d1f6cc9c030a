//! Settings that may hold a key or a password do not show it when they are printed for debugging.

use std::fmt;

use super::{Database, Operator, Rewrite, Smtp};
use domain::redacted;

impl fmt::Debug for Operator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Operator")
            .field("listen", &self.listen)
            .field("data_dir", &self.data_dir)
            .finish_non_exhaustive()
    }
}

redacted!(Rewrite);

impl fmt::Debug for Smtp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Smtp").field("from", &self.from).finish_non_exhaustive()
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Database").field("max_connections", &self.max_connections).finish_non_exhaustive()
    }
}
