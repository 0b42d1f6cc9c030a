//! The keys that the service makes for itself: one file each in the data folder, for its owner alone.
//!
//! Duty: reading, making and renewing them. A key is on the disk before it is used.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::StartError;
use config::{self, Config};
use domain::encryption::KEY_LENGTH;
use domain::{EncryptionKey, KeyId, KeyRing};
use store::private_files;
use store::{KeySource, KeySourceError};

/// Closes the data folder to other users, and answers the operator's key: from the settings, or made at the first start.
///
/// # Errors
/// [`StartError::OperatorKey`] when it can be neither read nor made.
pub fn operator_key(settings: &config::Operator) -> Result<String, StartError> {
    narrow_data_folder(&settings.data_dir);
    if let Some(key) = &settings.key {
        return Ok(key.clone());
    }
    let path = settings.key_file();
    let unusable = |error: io::Error| StartError::OperatorKey { path: path.display().to_string(), error };
    if let Some(key) = read_key(&path).map_err(unusable)? {
        return Ok(key);
    }
    private_files::make_folder(&settings.data_dir).map_err(unusable)?;
    // A start that was cut off in an older version may have left an empty file.
    fs::remove_file(&path).or_else(|error| is_missing(&error).then_some(()).ok_or(error)).map_err(unusable)?;
    let key = format!("rdo_{}", hex::encode(random().map_err(unusable)?));
    private_files::make_durably(&path, &format!("{key}\n")).map_err(unusable)?;
    read_key(&path).map_err(unusable)?.ok_or_else(|| unusable(io::ErrorKind::InvalidData.into()))
}

/// Closes the data folder to other users, if it is a folder of our own.
fn narrow_data_folder(folder: &Path) {
    match private_files::narrow_folder(folder) {
        Ok(true) => {
            tracing::info!(folder = %folder.display(), "the data folder was open to others and is not any more")
        }
        Ok(false) => {}
        Err(error) if is_missing(&error) => {}
        Err(error) => tracing::warn!(folder = %folder.display(), %error, "the data folder may be open to others"),
    }
}

/// The keys that secrets are encrypted with: those of the settings, and those in the file `secrets.key` of the data folder,
/// one a line, the newest first.
pub struct SecretKeys {
    configured: Option<EncryptionKey>,
    previous: Vec<EncryptionKey>,
    file: PathBuf,
}

impl SecretKeys {
    /// The keys that the settings lead to.
    pub fn of(config: &Config) -> Self {
        Self {
            configured: config.secrets.key.clone(),
            previous: config.secrets.previous_keys.clone(),
            file: config.operator.data_dir.join("secrets.key"),
        }
    }

    /// The keys for a rotation of a database that names the keys in `named`, the one to rotate to first; `None` when the
    /// settings name no other key than the one in use. Without a key in the settings a new one is put into the file,
    /// unless an earlier rotation did that and was cut off.
    pub fn for_rotation(&self, named: &[KeyId]) -> Result<Option<KeyRing>, KeySourceError> {
        let known = self.known()?;
        let is_new = known.as_ref().is_some_and(|ring| named != [ring.first().id().clone()]);
        if is_new || self.configured.is_some() {
            return Ok(known.filter(|_| is_new));
        }
        let newer = EncryptionKey::from_bytes(random().map_err(|error| self.unusable("be made", &error))?);
        let lines = std::iter::once(newer).chain(self.in_file()?).map(|key| key.expose() + "\n");
        private_files::replace_durably(&self.file, &lines.collect::<String>())
            .map_err(|error| self.unusable("be written", &error))?;
        self.known()
    }

    /// Whether the key to encrypt with is in the settings, not in the file.
    pub const fn is_configured(&self) -> bool {
        self.configured.is_some()
    }

    /// Writes every known key into a file of its own, as the key file of a data folder holds them. Whether there was any.
    pub fn copy_to(&self, path: &Path) -> Result<bool, KeySourceError> {
        let Some(known) = self.known()? else { return Ok(false) };
        let lines: String = known.iter().map(|key| key.expose() + "\n").collect();
        private_files::replace_durably(path, &lines)
            .map_err(|error| KeySourceError(format!("{} cannot be written: {error}", path.display())))?;
        Ok(true)
    }

    /// The file of the data folder that holds the keys which are not in the settings.
    pub fn file(&self) -> &Path {
        &self.file
    }

    fn in_file(&self) -> Result<Vec<EncryptionKey>, KeySourceError> {
        let text = read_key(&self.file).map_err(|error| self.unusable("be read", &error))?.unwrap_or_default();
        let keys = text.lines().map(|line| EncryptionKey::parse(line.trim()));
        let wrong = |error| KeySourceError(format!("secrets.key: a line of {} {error}", self.file.display()));
        keys.collect::<Result<_, _>>().map_err(wrong)
    }

    fn unusable(&self, what: &str, error: &io::Error) -> KeySourceError {
        KeySourceError(format!("secrets.key: {} cannot {what}: {error}", self.file.display()))
    }
}

impl KeySource for SecretKeys {
    fn known(&self) -> Result<Option<KeyRing>, KeySourceError> {
        let in_file = self.in_file()?;
        if !in_file.is_empty() {
            private_files::sync_folder_of(&self.file).map_err(|error| self.unusable("be made safe", &error))?;
        }
        Ok(KeyRing::of(self.configured.iter().chain(&in_file).chain(&self.previous).cloned()))
    }

    fn make(&self) -> Result<KeyRing, KeySourceError> {
        let made = || {
            if let Some(folder) = self.file.parent() {
                private_files::make_folder(folder)?;
            }
            private_files::make_durably(&self.file, &(EncryptionKey::from_bytes(random()?).expose() + "\n"))
        };
        if made().map_err(|error| self.unusable("be made", &error))? {
            tracing::info!(file = %self.file.display(), "a key for secrets was made; the database is of no use without it");
        }
        self.known()?.ok_or_else(|| self.unusable("be read", &io::ErrorKind::InvalidData.into()))
    }

    fn remedy(&self) -> String {
        format!("put the database's own key file at {}, or its key into RADAR_SECRETS__KEY", self.file.display())
    }
}

/// The text of a key file, from now on readable by its owner alone; `None` when there is none or it is empty.
fn read_key(path: &Path) -> io::Result<Option<String>> {
    match private_files::narrow_file(path) {
        Ok(true) => tracing::warn!(file = %path.display(), "a key file was open to others and is not any more"),
        Ok(false) => {}
        Err(error) => tracing::warn!(file = %path.display(), %error, "a key file may be open to others"),
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn random() -> io::Result<[u8; KEY_LENGTH]> {
    let mut bits = [0; KEY_LENGTH];
    getrandom::fill(&mut bits).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::SecretKeys;
    use domain::EncryptionKey;
    use store::KeySource;

    fn key(byte: u8) -> EncryptionKey {
        EncryptionKey::from_bytes([byte; 32])
    }

    #[test]
    fn a_key_is_made_once_and_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = SecretKeys { configured: None, previous: Vec::new(), file: folder.path().join("data/secrets.key") };
        assert_eq!(keys.known(), Ok(None));
        let made = keys.make().expect("made");
        assert_eq!((keys.make(), keys.known()), (Ok(made.clone()), Ok(Some(made))));
    }

    #[test]
    fn a_rotation_goes_to_the_key_of_the_settings_or_to_a_new_one_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secrets.key");
        let keys =
            |configured: Option<EncryptionKey>| SecretKeys { configured, previous: vec![key(9)], file: file.clone() };
        let first = keys(None).make().expect("made").first().clone();

        let renewed = keys(None).for_rotation(&[first.id().clone()]).expect("keys").expect("a new key");
        assert_ne!(renewed.first(), &first);
        assert!(renewed.find(first.id()).is_some() && renewed.find(key(9).id()).is_some());
        // Cut off before the database named the new key, or before every row did.
        for named in [vec![first.id().clone()], vec![renewed.first().id().clone(), first.id().clone()]] {
            assert_eq!(keys(None).for_rotation(&named), Ok(Some(renewed.clone())), "{named:?}");
        }
        assert_ne!(keys(None).for_rotation(&[renewed.first().id().clone()]), Ok(Some(renewed.clone())));

        let configured = keys(Some(key(1)));
        let to = configured.for_rotation(&[first.id().clone()]).expect("keys").expect("another key");
        assert_eq!(to.first(), &key(1));
        assert_eq!(configured.for_rotation(&[key(1).id().clone()]), Ok(None));
    }

    #[test]
    fn a_file_that_holds_something_else_is_refused_without_a_word_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secrets.key");
        std::fs::write(&file, "hunter2").expect("written");
        let error =
            SecretKeys { configured: None, previous: Vec::new(), file }.known().expect_err("no key").to_string();
        assert!(error.starts_with("secrets.key: a line of /") && !error.contains("hunter2"), "{error}");
    }
}
