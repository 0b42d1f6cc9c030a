//! Records of the wire, each field of which is named once: for the JSON and for its schema.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder};
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::money::Usd;
use super::shapes::{anything, boolean, count, custom_fields, instant, list, number, object, or_null, text, uuid};
use super::time::Instant;
use domain::delivery::endpoint_health::EndpointState;
use domain::{
    Category, DeliveryState, Department, DisabledReason, GracePeriod, KeyKind, PricingModel, RadarType, Scope,
    Seniority, Status, StatusReason, UpdateType, WaitingReason, WebhookFormat,
};

/// A type whose values have one schema.
pub trait Shaped {
    /// The builder of the schema.
    type Schema: Into<RefOr<Schema>>;

    /// Whether a key with such a value is always there.
    const ALWAYS: bool = true;
    /// What such a value is where it is one of many.
    const ABOUT: &'static str = "One of them.";

    /// The schema of values that are described so.
    fn shaped(about: &str) -> Self::Schema;

    /// Whether the key is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// A record of the wire, made by [`records!`].
pub trait Record {
    /// What the record is.
    const ABOUT: &'static str;

    /// Adds the fields of the record.
    fn fields(object: ObjectBuilder) -> ObjectBuilder;
}

/// Structs that are written as JSON, and their schemas. What is said of a field is its description there, too. The type
/// gives the shape; where that is not all, a function from the description to the schema stands behind `=`.
macro_rules! records {
    (@shape $type:ty) => { <$type as $crate::record::Shaped>::shaped };
    (@shape $type:ty, $shape:expr) => { $shape };
    ($(
        $(#[doc = $about:literal])+
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $name:ident $(<$life:lifetime>)? {
            $($(#[doc = $field_about:literal])+ $field_vis:vis $field:ident: $type:ty $(= $shape:expr)?,)+
        }
    )+) => {$(
        $(#[doc = $about])+
        #[derive($($($derive,)+)? serde::Serialize)]
        $vis struct $name $(<$life>)? {
            $(
                $(#[doc = $field_about])+
                #[serde(skip_serializing_if = "crate::record::Shaped::is_absent")]
                $field_vis $field: $type,
            )+
        }

        impl $(<$life>)? $crate::record::Record for $name $(<$life>)? {
            const ABOUT: &'static str = concat!($($about),+);

            fn fields(object: utoipa::openapi::schema::ObjectBuilder) -> utoipa::openapi::schema::ObjectBuilder {
                $(
                    let named = (stringify!($field), concat!($($field_about),+));
                    let object = $crate::record::with_field::<$type, _>(
                        object, named, $crate::record::records!(@shape $type $(, $shape)?),
                    );
                )+
                object
            }
        }
    )+};
}
pub(crate) use records;

/// The object with a field of a record.
pub fn with_field<T: Shaped, S: Into<RefOr<Schema>>>(
    object: ObjectBuilder,
    (name, about): (&str, &str),
    shape: impl FnOnce(&str) -> S,
) -> ObjectBuilder {
    let object = object.property(name, shape(about.trim_start()));
    if T::ALWAYS { object.required(name) } else { object }
}

/// The schema of a record.
pub fn schema_of<T: Record>() -> ObjectBuilder {
    T::fields(object(T::ABOUT.trim_start()))
}

/// A value whose key is absent where there is none.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Maybe<T>(pub Option<T>);

impl<T: Shaped> Shaped for Maybe<T> {
    type Schema = T::Schema;
    const ALWAYS: bool = false;

    fn shaped(about: &str) -> T::Schema {
        T::shaped(about)
    }

    fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    type Schema = ArrayBuilder;

    fn shaped(about: &str) -> ArrayBuilder {
        list(T::shaped(T::ABOUT.trim_start()), about)
    }
}

impl<T: Shaped<Schema = ObjectBuilder>> Shaped for Option<T> {
    type Schema = Object;

    fn shaped(about: &str) -> Object {
        or_null(T::shaped(about))
    }
}

impl<T: Record> Shaped for T {
    type Schema = ObjectBuilder;
    const ABOUT: &'static str = <T as Record>::ABOUT;

    fn shaped(about: &str) -> ObjectBuilder {
        T::fields(object(about))
    }
}

macro_rules! shaped {
    ($($type:ty: $shape:expr,)+) => {
        $(impl $crate::record::Shaped for $type {
            type Schema = utoipa::openapi::schema::ObjectBuilder;

            fn shaped(about: &str) -> utoipa::openapi::schema::ObjectBuilder {
                $shape(about)
            }
        })+
    };
}

macro_rules! words {
    ($($type:ty),+) => {
        $crate::record::shaped! { $($type: |about| $crate::shapes::word(<$type>::WORDS, about),)+ }
    };
}
pub(crate) use {shaped, words};

shaped! {
    bool: boolean,
    u16: count,
    u32: count,
    u64: count,
    usize: count,
    i64: count,
    Usd: number,
    &str: text,
    String: text,
    Uuid: uuid,
    Instant: instant,
    Value: anything,
    Box<RawValue>: anything,
    &BTreeMap<String, String>: custom_fields,
}
words!(Scope, Category, DeliveryState, Department, DisabledReason, EndpointState, GracePeriod, KeyKind, PricingModel);
words!(RadarType, Seniority, Status, StatusReason, UpdateType, WaitingReason, WebhookFormat);
