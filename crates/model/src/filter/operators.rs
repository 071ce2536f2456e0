//! Operators: words that filters and comparators are told.

use super::part::{Field, Part};
use crate::error::{Error, Result};
use std::cmp::Ordering;

/// An enum of words, each with HBase's name.
macro_rules! words {
    ($(#[$doc:meta])* pub enum $enum:ident($what:literal) {
        $($(#[$word_doc:meta])* $variant:ident = $word:literal $(| $also:literal)*,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[$word_doc])* $variant,)+
        }

        impl $enum {
            /// HBase's name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of that name, in any case, or of its sign.
            ///
            /// # Errors
            /// `InvalidArgument` for any other text.
            pub fn from_name(name: &str) -> Result<Self> {
                match name.to_ascii_uppercase().as_str() {
                    $($word $(| $also)* => Ok(Self::$variant),)+
                    _ => {
                        let known = [$($word),+].join(", ");
                        Err(Error::invalid(format!("{} '{name}' is unknown; HBase has {known}", $what)))
                    }
                }
            }
        }

        impl Field for $enum {
            fn part(&self) -> Part {
                Part::Text(self.name().to_string())
            }

            fn from_part(part: Part) -> Result<Self> {
                String::from_part(part).and_then(|name| Self::from_name(&name))
            }
        }
    };
}

words! {
    /// How two values are compared.
    pub enum CompareOperator("operator") {
        /// `<`
        Less = "LESS" | "<",
        /// `<=`
        LessOrEqual = "LESS_OR_EQUAL" | "<=",
        /// `==`
        Equal = "EQUAL" | "=" | "==",
        /// `!=`
        NotEqual = "NOT_EQUAL" | "!=",
        /// `>=`
        GreaterOrEqual = "GREATER_OR_EQUAL" | ">=",
        /// `>`
        Greater = "GREATER" | ">",
        /// Never holds.
        NoOp = "NO_OP",
    }
}

words! {
    /// How many filters of a list must pass.
    pub enum ListOperator("list operator") {
        /// All of them; the greatest jump that any proposes is made.
        MustPassAll = "MUST_PASS_ALL" | "AND" | "ALL",
        /// One of them; only a jump that all propose is made.
        MustPassOne = "MUST_PASS_ONE" | "OR" | "ONE",
    }
}

words! {
    /// What is done with two runs of bits.
    pub enum BitwiseOperator("bitwise operator") {
        /// Bits set in both.
        And = "AND",
        /// Bits set in one of them.
        Or = "OR",
        /// Bits set in one but not in the other.
        Xor = "XOR",
    }
}

words! {
    /// Who runs a regular expression in HBase. Here both are run alike.
    pub enum RegexEngine("regex engine") {
        /// `java.util.regex`
        Java = "JAVA",
        /// Joni, Oniguruma's twin.
        Joni = "JONI",
    }
}

impl CompareOperator {
    /// Whether `left OP right` holds, given how they compare.
    #[inline]
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Self::Less => ordering.is_lt(),
            Self::LessOrEqual => ordering.is_le(),
            Self::Equal => ordering.is_eq(),
            Self::NotEqual => ordering.is_ne(),
            Self::GreaterOrEqual => ordering.is_ge(),
            Self::Greater => ordering.is_gt(),
            Self::NoOp => false,
        }
    }

    /// Its sign in the filter language; `None` for NO_OP.
    pub fn sign(self) -> Option<&'static str> {
        Some(match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
            Self::NoOp => return None,
        })
    }
}
