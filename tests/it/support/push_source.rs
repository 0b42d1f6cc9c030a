//! A private provider: radars of its types need no web site, and findings are pushed by the test.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Answer;
use super::process::Service;
use super::provider;

/// The source's name.
pub const ID: &str = "provider_inc";

/// A folder for `sources.dir` that declares the provider.
pub struct PushSource {
    folder: TempDir,
}

impl PushSource {
    /// Declares a provider of `radar_types`.
    pub fn of(radar_types: &[&str]) -> Self {
        Self::named(ID, radar_types)
    }

    /// The same under another name.
    pub fn named(id: &str, radar_types: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let text =
            format!("format_version = 1\nid = \"{id}\"\nkind = \"push\"\nradar_types = {}\n", json!(radar_types));
        std::fs::write(folder.path().join(format!("{id}.toml")), text).expect("a source file");
        Self { folder }
    }

    /// The value of the setting `SOURCES__DIR`.
    pub fn dir(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// Hands a finding to one radar.
    pub async fn push(&self, service: &Service, radar_id: &str, native_id: &str, content: &Value) -> Answer {
        provider::push(service, radar_id, native_id, content).await
    }

    /// The body that hands a finding to one radar.
    pub fn finding(radar_id: &str, native_id: &str, content: &Value) -> Value {
        json!({"radar_id": radar_id, "native_id": native_id, "source": ID, "content": content})
    }

    /// Hands a review in, once for each text; answers what became of it at the radar.
    pub async fn review(&self, service: &Service, radar_id: &str, text: &str) -> Value {
        let pushed = self.push(service, radar_id, text, &json!({"review_content": text})).await;
        pushed.json["data"][0]["outcome"].clone()
    }
}
