//! Types of exported columns, and the value codec that each corresponds to.

/// The type of a column, named after the format of its values in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes, unchanged.
    Binary,
    /// UTF-8.
    Text,
    /// Integers, big-endian; two's complement if `is_signed`.
    Integer {
        /// Size in bytes: 1, 2, 4 or 8.
        bytes: u8,
        /// Whether they are signed.
        is_signed: bool,
    },
    /// IEEE 754, 4 bytes, big-endian.
    Float32,
    /// IEEE 754, 8 bytes, big-endian.
    Float64,
    /// One byte, 0 is false.
    Bool,
    /// Milliseconds since 1970 in UTC, as a signed 8-byte number.
    Instant,
    /// A decimal number of any size, exported as text.
    Decimal,
}

/// Signed 8-byte numbers, used for timestamps.
pub const INT64: Kind = Kind::Integer { bytes: 8, is_signed: true };

impl Kind {
    /// The type for values of a codec (`rowstone.codecs`), given by name. Codecs that only Python implements, and
    /// unknown ones, are binary.
    pub fn of_codec(name: &str) -> Kind {
        let integer = |bytes, is_signed| Kind::Integer { bytes, is_signed };
        match name {
            "text" | "json" => Kind::Text,
            "int8" => integer(1, true),
            "int16" => integer(2, true),
            "int32" => integer(4, true),
            "int64" => INT64,
            "uint8" => integer(1, false),
            "uint16" => integer(2, false),
            "uint32" => integer(4, false),
            "uint64" => integer(8, false),
            "float32" => Kind::Float32,
            "float64" => Kind::Float64,
            "bool" => Kind::Bool,
            "datetime" => Kind::Instant,
            "decimal" => Kind::Decimal,
            _ => Kind::Binary,
        }
    }

    /// Arrow's format string.
    pub fn format(self) -> &'static str {
        match self {
            Kind::Binary => "z",
            Kind::Text | Kind::Decimal => "u",
            Kind::Integer { bytes: 1, is_signed: true } => "c",
            Kind::Integer { bytes: 2, is_signed: true } => "s",
            Kind::Integer { bytes: 4, is_signed: true } => "i",
            Kind::Integer { is_signed: true, .. } => "l",
            Kind::Integer { bytes: 1, .. } => "C",
            Kind::Integer { bytes: 2, .. } => "S",
            Kind::Integer { bytes: 4, .. } => "I",
            Kind::Integer { .. } => "L",
            Kind::Float32 => "f",
            Kind::Float64 => "g",
            Kind::Bool => "b",
            Kind::Instant => "tsm:UTC",
        }
    }

    /// A human-readable description of valid values.
    pub fn describe(self) -> String {
        match self {
            Kind::Binary => "bytes".into(),
            Kind::Text => "UTF-8".into(),
            Kind::Integer { bytes: 1, .. } | Kind::Bool => "1 byte".into(),
            Kind::Integer { bytes, .. } => format!("{bytes} bytes"),
            Kind::Float32 => "4 bytes".into(),
            Kind::Float64 | Kind::Instant => "8 bytes".into(),
            Kind::Decimal => "5 bytes or more".into(),
        }
    }
}
