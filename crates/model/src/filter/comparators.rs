//! The 9 comparators: what a part of a cell is compared with.

use super::decimal::Decimal;
use super::describe::describe;
use super::operators::{BitwiseOperator, RegexEngine};

describe! {
    /// A comparator. Those that only know "fits" and "does not" (regex, substring, bits, null) make sense with EQUAL and
    /// NOT_EQUAL: a part that does not fit counts as smaller than the comparator, as in HBase.
    pub enum Comparator {
        /// A decimal number, as `Bytes.toBytes(BigDecimal)` writes it.
        BigDecimalComparator {
            /// The number.
            value: Decimal,
        }
        /// Bytes, compared unsigned from left to right; a prefix comes first.
        BinaryComparator {
            /// The bytes.
            value: Vec<u8>,
        }
        /// Bytes at a place inside the part.
        BinaryComponentComparator {
            /// The bytes.
            value: Vec<u8>,
            /// Where in the part they are looked for; 0 or more.
            offset: i32,
        }
        /// Bytes, compared with as many first bytes of the part.
        BinaryPrefixComparator {
            /// The bytes.
            value: Vec<u8>,
        }
        /// Bits: fits where the part has as many bytes and the operation leaves a bit set.
        BitComparator {
            /// The bits.
            value: Vec<u8>,
            /// What is done with them and the part.
            bit_operator: BitwiseOperator,
        }
        /// A signed number of 8 big-endian bytes, as increments write it.
        LongComparator {
            /// The number.
            value: i64,
        }
        /// Fits nothing that is there: with NOT_EQUAL every value passes.
        NullComparator {}
        /// A regular expression of Java, looked for anywhere in the part.
        RegexStringComparator {
            /// The expression.
            pattern: String,
            /// Flags of `java.util.regex.Pattern`; see [`super::flags`].
            flags: i32,
            /// How the part's bytes become text: a Java charset name.
            charset: String,
            /// Which engine HBase runs it with.
            engine: RegexEngine,
        }
        /// A text, looked for anywhere in the part, whatever the case.
        SubstringComparator {
            /// The text in lower case.
            substring: String,
        }
    }
}
