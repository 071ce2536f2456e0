//! The 9 comparators, which filters compare parts of a cell with.

use super::decimal::Decimal;
use super::describe::describe;
use super::operators::{BitwiseOperator, RegexEngine};

describe! {
    /// A comparator. Those that only distinguish "matches" from "does not" (regex, substring, bits, null) make sense
    /// with EQUAL and NOT_EQUAL: a part that does not match counts as smaller than the comparator, as in HBase.
    pub enum Comparator {
        /// A decimal number, as `Bytes.toBytes(BigDecimal)` writes it.
        BigDecimalComparator {
            /// The number.
            value: Decimal,
        }
        /// Bytes, compared unsigned from left to right; a prefix sorts first.
        BinaryComparator {
            /// The bytes.
            value: Vec<u8>,
        }
        /// Bytes at an offset inside the part.
        BinaryComponentComparator {
            /// The bytes.
            value: Vec<u8>,
            /// Offset in the part; 0 or more.
            offset: i32,
        }
        /// Bytes, compared with a prefix of the part of the same length.
        BinaryPrefixComparator {
            /// The bytes.
            value: Vec<u8>,
        }
        /// Bits: matches if the part has the same length and the bitwise operation leaves a bit set.
        BitComparator {
            /// The bits.
            value: Vec<u8>,
            /// The operation that combines them with the part.
            bit_operator: BitwiseOperator,
        }
        /// A signed number of 8 big-endian bytes, as increments write it.
        LongComparator {
            /// The number.
            value: i64,
        }
        /// Matches only absent values: with NOT_EQUAL every value passes.
        NullComparator {}
        /// A Java regular expression, searched for anywhere in the part.
        RegexStringComparator {
            /// The expression.
            pattern: String,
            /// Flags of `java.util.regex.Pattern`; see [`super::flags`].
            flags: i32,
            /// The Java charset that decodes the part's bytes to text.
            charset: String,
            /// The engine that HBase runs it with.
            engine: RegexEngine,
        }
        /// A text, searched for anywhere in the part, ignoring case.
        SubstringComparator {
            /// The text in lower case.
            substring: String,
        }
    }
}
