//! A macro that turns a list of names and fields into an enum that converts to [`super::Part`]s and back.

/// Defines an enum whose variants have HBase's class names; each field is named and typed once.
///
/// The enum gets `NAMES`, `name`, `fields`, `parts` and `from_parts`; its own `check` has the last word on new
/// values.
macro_rules! describe {
    (
        $(#[$enum_doc:meta])*
        pub enum $enum:ident {
            $($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })+
        }
    ) => {
        $(#[$enum_doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $enum {
            $($(#[$doc])* $name { $($(#[$field_doc])* $field: $type,)* },)+
        }

        impl $enum {
            /// HBase's class names, without the package.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// HBase's class name, without the package.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name { .. } => stringify!($name),)+ }
            }

            /// The field names of the class called `name`, in order; `None` if there is no such class.
            pub fn fields(name: &str) -> Option<&'static [&'static str]> {
                match name {
                    $(stringify!($name) => Some(&[$(stringify!($field)),*]),)+
                    _ => None,
                }
            }

            /// The field values, in the order of [`Self::fields`].
            pub fn parts(&self) -> Vec<$crate::filter::Part> {
                match self {
                    $(Self::$name { $($field),* } => vec![$($crate::filter::Field::part($field)),*],)+
                }
            }

            /// Builds a value of the class called `name` from its fields, in the order of [`Self::fields`].
            ///
            /// # Errors
            /// `InvalidArgument` for an unknown name, a field of the wrong type, and arguments that HBase's
            /// constructor rejects.
            pub fn from_parts(name: &str, parts: Vec<$crate::filter::Part>) -> $crate::Result<Self> {
                let count = parts.len();
                let mut parts = parts.into_iter();
                let value = match name {
                    $(stringify!($name) => Self::$name {
                        $($field: {
                            let part = parts.next().unwrap_or($crate::filter::Part::None);
                            $crate::filter::Field::from_part(part).map_err(|error: $crate::Error| {
                                error.context(concat!(stringify!($name), ": ", stringify!($field)))
                            })?
                        },)*
                    },)+
                    _ => return Err($crate::Error::invalid(format!(
                        "there is no {} '{name}'; there are: {}",
                        stringify!($enum).to_lowercase(),
                        Self::NAMES.join(", ")
                    ))),
                };
                if parts.next().is_some() {
                    let wanted = Self::fields(name).map_or(0, <[&str]>::len);
                    return Err($crate::Error::invalid(format!("{name} has {wanted} fields, not {count}")));
                }
                value.check()
            }
        }
    };
}

pub(super) use describe;
