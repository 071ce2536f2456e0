//! Operators of filters and comparators.

use crate::error::{Error, Result};
use std::cmp::Ordering;

/// Defines an enum whose variants have HBase's names.
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

            /// Parse HBase's name, in any case, or the operator's sign.
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
    };
}

words! {
    /// Comparison of two values.
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
        /// Always false.
        NoOp = "NO_OP",
    }
}

words! {
    /// The combination of a list's filters.
    pub enum ListOperator("list operator") {
        /// All of them must pass; seeks to the furthest of the proposed hints.
        MustPassAll = "MUST_PASS_ALL" | "AND" | "ALL",
        /// One of them must pass; seeks only to a hint that all of them allow.
        MustPassOne = "MUST_PASS_ONE" | "OR" | "ONE",
    }
}

words! {
    /// Bitwise combination of two byte strings.
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
    /// The engine that HBase runs a regular expression with. Rowstone runs both kinds the same way.
    pub enum RegexEngine("regex engine") {
        /// `java.util.regex`
        Java = "JAVA",
        /// Joni, a Java port of Oniguruma.
        Joni = "JONI",
    }
}

impl CompareOperator {
    /// Whether `left OP right` holds, given `ordering` of left and right.
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
