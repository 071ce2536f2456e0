//! Types of imported columns, parsed from Arrow's format strings.

/// The memory layout of variable-length values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Offsets of 4 bytes into one buffer.
    Small,
    /// Offsets of 8 bytes into one buffer.
    Large,
    /// Views of 16 bytes into several buffers.
    Views,
    /// Fixed-size values of this many bytes.
    Fixed(usize),
}

/// The unit of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Days, in 4 bytes.
    Days,
    /// Days as milliseconds, in 8 bytes.
    DaysInMilliseconds,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

/// The type of an imported column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// Only nulls.
    Null,
    /// Booleans, as bits.
    Bool,
    /// Integers.
    Integer {
        /// Size in bytes: 1, 2, 4 or 8.
        bytes: u8,
        /// Whether they are signed.
        is_signed: bool,
    },
    /// Floating point, 4 bytes.
    Float32,
    /// Floating point, 8 bytes.
    Float64,
    /// UTF-8.
    Text(Layout),
    /// Bytes.
    Binary(Layout),
    /// A timestamp: time since 1970, in UTC if it has a time zone.
    Instant {
        /// The unit.
        unit: Unit,
        /// Whether it has a time zone; a date counts as UTC.
        has_zone: bool,
    },
    /// Decimal numbers in 16 bytes.
    Decimal {
        /// Digits after the decimal point.
        scale: i32,
    },
    /// Indices into a dictionary.
    Dictionary {
        /// Size of an index in bytes: 1, 2, 4 or 8.
        bytes: u8,
        /// Whether indices are signed.
        is_signed: bool,
        /// The type of the dictionary's values.
        values: Box<Type>,
    },
}

impl Type {
    /// Parses a format string; `None` for unsupported types.
    pub fn of_format(format: &str) -> Option<Type> {
        let integer = |bytes, is_signed| Type::Integer { bytes, is_signed };
        let instant = |unit, has_zone| Type::Instant { unit, has_zone };
        Some(match format {
            "n" => Type::Null,
            "b" => Type::Bool,
            "c" => integer(1, true),
            "s" => integer(2, true),
            "i" => integer(4, true),
            "l" => integer(8, true),
            "C" => integer(1, false),
            "S" => integer(2, false),
            "I" => integer(4, false),
            "L" => integer(8, false),
            "f" => Type::Float32,
            "g" => Type::Float64,
            "u" => Type::Text(Layout::Small),
            "U" => Type::Text(Layout::Large),
            "vu" => Type::Text(Layout::Views),
            "z" => Type::Binary(Layout::Small),
            "Z" => Type::Binary(Layout::Large),
            "vz" => Type::Binary(Layout::Views),
            "tdD" => instant(Unit::Days, true),
            "tdm" => instant(Unit::DaysInMilliseconds, true),
            _ => return Type::with_parameters(format),
        })
    }

    fn with_parameters(format: &str) -> Option<Type> {
        let (name, parameters) = format.split_once(':')?;
        let instant = |unit| Type::Instant { unit, has_zone: !parameters.is_empty() };
        Some(match name {
            "w" => Type::Binary(Layout::Fixed(parameters.parse().ok()?)),
            "tss" => instant(Unit::Seconds),
            "tsm" => instant(Unit::Milliseconds),
            "tsu" => instant(Unit::Microseconds),
            "tsn" => instant(Unit::Nanoseconds),
            "d" => {
                let mut numbers = parameters.split(',');
                let (_, scale) = (numbers.next()?, numbers.next()?.parse().ok()?);
                let bits = numbers.next().unwrap_or("128");
                return (bits == "128").then_some(Type::Decimal { scale });
            }
            _ => return None,
        })
    }

    /// Number of buffers of a column of this type; view types have at least that many.
    pub(super) fn buffer_count(&self) -> i64 {
        match self {
            Type::Null => 0,
            Type::Text(Layout::Small | Layout::Large | Layout::Views)
            | Type::Binary(Layout::Small | Layout::Large | Layout::Views) => 3,
            _ => 2,
        }
    }

    /// A human-readable name.
    pub fn name(&self) -> String {
        match self {
            Type::Null => "null".into(),
            Type::Bool => "bool".into(),
            Type::Integer { bytes, is_signed } => format!("{}int{}", if *is_signed { "" } else { "u" }, 8 * bytes),
            Type::Float32 => "float32".into(),
            Type::Float64 => "float64".into(),
            Type::Text(_) => "text".into(),
            Type::Binary(_) => "bytes".into(),
            Type::Instant { unit: Unit::Days | Unit::DaysInMilliseconds, .. } => "date".into(),
            Type::Instant { has_zone: true, .. } => "timestamp".into(),
            Type::Instant { .. } => "timestamp without time zone".into(),
            Type::Decimal { .. } => "decimal".into(),
            Type::Dictionary { values, .. } => values.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, Type, Unit};

    #[test]
    fn format_strings_are_read() {
        assert_eq!(Type::of_format("w:16"), Some(Type::Binary(Layout::Fixed(16))));
        assert_eq!(Type::of_format("tsu:"), Some(Type::Instant { unit: Unit::Microseconds, has_zone: false }));
        assert_eq!(
            Type::of_format("tsn:Europe/Berlin"),
            Some(Type::Instant { unit: Unit::Nanoseconds, has_zone: true })
        );
        assert_eq!(Type::of_format("d:10,2"), Some(Type::Decimal { scale: 2 }));
        for other in ["d:10,2,256", "+l", "+w:3", "w:x", "e", "ttm", ""] {
            assert_eq!(Type::of_format(other), None, "{other}");
        }
    }
}
