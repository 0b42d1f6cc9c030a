//! The words that JSON Schemas (2020-12) are written with.

use serde_json::Value;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, Array, ArrayBuilder, Object, ObjectBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema, SchemaFormat};

use domain::field_limits::{CUSTOM_FIELD_KEY_MAX, CUSTOM_FIELD_VALUE_MAX, CUSTOM_FIELDS_MAX, WEBHOOK_URL_MAX};
use domain::{Department, RadarType, Seniority};

/// `YYYY-MM`.
pub const MONTH: &str = "^[0-9]{4}-(0[1-9]|1[0-2])$";

/// Ways to put fields into an object.
pub trait Fields {
    /// A field that is always there.
    fn always(self, name: &str, schema: impl Into<RefOr<Schema>>) -> Self;

    /// A field that may be absent.
    fn maybe(self, name: &str, schema: impl Into<RefOr<Schema>>) -> Self;

    /// Nothing but these fields.
    fn nothing_else(self) -> Self;
}

impl Fields for ObjectBuilder {
    fn always(self, name: &str, schema: impl Into<RefOr<Schema>>) -> Self {
        self.property(name, schema).required(name)
    }

    fn maybe(self, name: &str, schema: impl Into<RefOr<Schema>>) -> Self {
        self.property(name, schema)
    }

    fn nothing_else(self) -> Self {
        self.additional_properties(Some(AdditionalProperties::FreeForm(false)))
    }
}

pub fn object(description: &str) -> ObjectBuilder {
    of_type(Type::Object, description)
}

pub fn text(description: &str) -> ObjectBuilder {
    of_type(Type::String, description)
}

pub fn number(description: &str) -> ObjectBuilder {
    of_type(Type::Number, description)
}

pub fn boolean(description: &str) -> ObjectBuilder {
    of_type(Type::Boolean, description)
}

pub fn integer(description: &str) -> ObjectBuilder {
    of_type(Type::Integer, description)
}

/// A number of things.
pub fn count(description: &str) -> ObjectBuilder {
    integer(description).minimum(Some(0))
}

pub fn uuid(description: &str) -> ObjectBuilder {
    text(description).format(format("uuid"))
}

pub fn date(description: &str) -> ObjectBuilder {
    text(description).format(format("date"))
}

pub fn instant(description: &str) -> ObjectBuilder {
    text(description).format(format("date-time"))
}

pub fn uri(description: &str) -> ObjectBuilder {
    text(description).format(format("uri"))
}

/// An http or https address.
pub fn http_url(description: &str) -> ObjectBuilder {
    text(description).pattern(Some("^[Hh][Tt][Tt][Pp][Ss]?://")).max_length(Some(WEBHOOK_URL_MAX))
}

/// One of a closed list.
pub fn word(words: &[&str], description: &str) -> ObjectBuilder {
    text(description).enum_values(Some(words.iter().copied()))
}

pub fn radar_type(allowed: impl IntoIterator<Item = RadarType>, description: &str) -> ObjectBuilder {
    word(&allowed.into_iter().map(RadarType::as_str).collect::<Vec<_>>(), description)
}

pub fn list(items: impl Into<RefOr<Schema>>, description: &str) -> ArrayBuilder {
    ArrayBuilder::new().items(items.into()).description(Some(description))
}

/// Departments, one at least.
pub fn departments(description: &str) -> ArrayBuilder {
    list(word(Department::WORDS, "A department."), description).min_items(Some(1))
}

/// Seniorities, one at least.
pub fn seniorities(description: &str) -> ArrayBuilder {
    list(word(Seniority::WORDS, "A seniority."), description).min_items(Some(1))
}

/// What is said elsewhere under `name`.
pub fn named(name: &str) -> Ref {
    Ref::from_schema_name(name)
}

/// What fits one of these at least.
pub fn any_of<T: Into<RefOr<Schema>>>(schemas: impl IntoIterator<Item = T>) -> AnyOfBuilder {
    schemas.into_iter().fold(AnyOfBuilder::new(), AnyOfBuilder::item)
}

/// The same, or null.
pub fn or_null(schema: ObjectBuilder) -> Object {
    let mut object = schema.build();
    object.schema_type = with_null(object.schema_type);
    if let Some(words) = &mut object.enum_values {
        words.push(Value::Null);
    }
    object
}

/// The same list, or null.
pub fn list_or_null(schema: ArrayBuilder) -> Array {
    let mut array = schema.build();
    array.schema_type = with_null(array.schema_type);
    array
}

/// Anything at all.
pub fn anything(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some(description))
}

/// Room for any other key, said aloud.
pub fn allowed() -> Option<AdditionalProperties<Schema>> {
    Some(AdditionalProperties::FreeForm(true))
}

/// The customer's own labels (Spec 8.2).
pub fn custom_fields(description: &str) -> ObjectBuilder {
    let key = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1));
    let value = ObjectBuilder::new().schema_type(Type::String).max_length(Some(CUSTOM_FIELD_VALUE_MAX));
    object(description)
        .max_properties(Some(CUSTOM_FIELDS_MAX))
        .property_names(Some(key.max_length(Some(CUSTOM_FIELD_KEY_MAX))))
        .additional_properties(Some(value))
}

fn of_type(value_type: Type, description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(value_type).description(Some(description))
}

fn format(name: &str) -> Option<SchemaFormat> {
    Some(SchemaFormat::Custom(name.to_owned()))
}

fn with_null(value_type: SchemaType) -> SchemaType {
    match value_type {
        SchemaType::Type(one) => SchemaType::Array(vec![one, Type::Null]),
        other => other,
    }
}
