//! Encodes values of imported columns in the formats of value codecs.

use crate::decimal;
use crate::import::{Type, Unit, Value};
use rowstone_model::codec::{printable, write_decimal};
use serde::de::IgnoredAny;

/// The byte format for the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes and text unchanged.
    AsIs,
    /// UTF-8.
    Text,
    /// JSON, in UTF-8.
    Json,
    /// Integers, big-endian.
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
    /// A boolean: FF or 00.
    Bool,
    /// Timestamps: milliseconds since 1970.
    Instant,
    /// Decimal numbers, as in `Bytes.toBytes(BigDecimal)`.
    Decimal,
}

impl Encoding {
    /// Selects the encoding of columns of type `found` for a codec, given by name; without one, that of HBase's
    /// `Bytes` for the type.
    ///
    /// # Errors
    /// A description of the problem, if the codec does not accept the type.
    pub fn of(codec: Option<&str>, found: &Type) -> Result<Encoding, String> {
        let found = match found {
            Type::Dictionary { values, .. } => values,
            other => other,
        };
        if let Type::Instant { has_zone: false, .. } = found {
            return Err("it is a timestamp without time zone; add one (UTC, if that is meant)".into());
        }
        let Some(codec) = codec else { return Encoding::natural(found) };
        let (encoding, takes) = match codec {
            "bytes" => (Encoding::AsIs, matches!(found, Type::Binary(_) | Type::Text(_))),
            "text" => (Encoding::Text, matches!(found, Type::Binary(_) | Type::Text(_))),
            "json" => (Encoding::Json, matches!(found, Type::Binary(_) | Type::Text(_))),
            "bool" => (Encoding::Bool, *found == Type::Bool),
            "datetime" => (Encoding::Instant, matches!(found, Type::Instant { .. })),
            "decimal" => {
                (Encoding::Decimal, matches!(found, Type::Decimal { .. } | Type::Integer { .. } | Type::Text(_)))
            }
            "float32" => (Encoding::Float32, is_number(found)),
            "float64" => (Encoding::Float64, is_number(found)),
            _ => match integer(codec) {
                Some(encoding) => (encoding, is_number(found)),
                // A codec implemented only in Python: the column must contain encoded bytes already.
                None => (Encoding::AsIs, matches!(found, Type::Binary(_))),
            },
        };
        if takes || *found == Type::Null {
            Ok(encoding)
        } else {
            Err(format!("codec '{codec}' takes no {}", found.name()))
        }
    }

    fn natural(found: &Type) -> Result<Encoding, String> {
        Ok(match found {
            Type::Null | Type::Binary(_) | Type::Text(_) => Encoding::AsIs,
            Type::Bool => Encoding::Bool,
            Type::Integer { bytes, is_signed } => Encoding::Integer { bytes: *bytes, is_signed: *is_signed },
            Type::Float32 => Encoding::Float32,
            Type::Float64 => Encoding::Float64,
            Type::Decimal { .. } => Encoding::Decimal,
            Type::Instant { unit: Unit::Days | Unit::DaysInMilliseconds, .. } => {
                return Err("it is a date; use codec 'datetime'".into())
            }
            Type::Instant { .. } => Encoding::Instant,
            Type::Dictionary { values, .. } => return Encoding::natural(values),
        })
    }

    /// Appends the bytes of `value`, which is not null, to `out`.
    ///
    /// # Errors
    /// A description of the problem with the value; part of it may have been appended to `out`.
    pub fn write(self, value: Value<'_>, out: &mut Vec<u8>) -> Result<(), String> {
        match (self, value) {
            (Encoding::AsIs, Value::Bytes(bytes) | Value::Text(bytes)) | (Encoding::Text, Value::Text(bytes)) => {
                out.extend_from_slice(bytes);
            }
            (Encoding::Text, Value::Bytes(bytes)) => {
                std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8")?;
                out.extend_from_slice(bytes);
            }
            (Encoding::Json, Value::Bytes(bytes) | Value::Text(bytes)) => {
                serde_json::from_slice::<IgnoredAny>(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
                out.extend_from_slice(bytes);
            }
            (Encoding::Bool, Value::Bool(value)) => out.push(if value { 0xff } else { 0 }),
            (Encoding::Integer { bytes, is_signed }, value) => return write_integer(value, bytes, is_signed, out),
            (Encoding::Instant, Value::Instant(moment)) => {
                let moment = i64::try_from(moment).map_err(|_| "the timestamp does not fit 64 bits")?;
                out.extend_from_slice(&moment.to_be_bytes());
            }
            (Encoding::Float64, value) => out.extend_from_slice(&float_of(value)?.to_be_bytes()),
            (Encoding::Float32, value) => {
                let wide = float_of(value)?;
                let narrow = wide as f32;
                if narrow.is_infinite() && wide.is_finite() {
                    return Err(format!("{wide} does not fit 4 bytes"));
                }
                out.extend_from_slice(&narrow.to_be_bytes());
            }
            (Encoding::Decimal, value) => out.extend(decimal_of(value)?),
            _ => return Err("the producer's Arrow data is inconsistent".into()),
        }
        Ok(())
    }
}

fn is_number(found: &Type) -> bool {
    matches!(found, Type::Integer { .. } | Type::Float32 | Type::Float64)
}

fn integer(codec: &str) -> Option<Encoding> {
    let (is_signed, bits) = match codec.strip_prefix("uint") {
        Some(bits) => (false, bits),
        None => (true, codec.strip_prefix("int")?),
    };
    let bytes = match bits {
        "8" => 1,
        "16" => 2,
        "32" => 4,
        "64" => 8,
        _ => return None,
    };
    Some(Encoding::Integer { bytes, is_signed })
}

fn write_integer(value: Value<'_>, bytes: u8, is_signed: bool, out: &mut Vec<u8>) -> Result<(), String> {
    let number = match value {
        Value::Integer(number) => number,
        // pandas turns integers into floats if some are missing.
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e19 => number as i128,
        Value::Float(number) => return Err(format!("{number} is no whole number")),
        _ => return Err("the producer's Arrow data is inconsistent".into()),
    };
    let bits = 8 * u32::from(bytes);
    let (least, most) =
        if is_signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    if !(least..=most).contains(&number) {
        return Err(format!("{number} is outside {least} to {most}"));
    }
    out.extend_from_slice(&number.to_be_bytes()[16 - usize::from(bytes)..]);
    Ok(())
}

fn float_of(value: Value<'_>) -> Result<f64, String> {
    match value {
        Value::Float(number) => Ok(number),
        Value::Integer(number) if (number as f64) as i128 == number => Ok(number as f64),
        Value::Integer(number) => Err(format!("{number} has more digits than a float")),
        _ => Err("the producer's Arrow data is inconsistent".into()),
    }
}

fn decimal_of(value: Value<'_>) -> Result<Vec<u8>, String> {
    match value {
        Value::Decimal(number, scale) => Ok(write_decimal(scale, &number.into())),
        Value::Integer(number) => Ok(write_decimal(0, &number.into())),
        Value::Text(text) => {
            let number = std::str::from_utf8(text).ok().and_then(decimal::from_text);
            number.ok_or_else(|| format!("'{}' is no decimal number", printable(text)))
        }
        _ => Err("the producer's Arrow data is inconsistent".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::Encoding;
    use crate::import::{Layout, Type, Unit, Value};

    fn written(encoding: Encoding, value: Value<'_>) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        encoding.write(value, &mut out).map(|()| out)
    }

    #[test]
    fn codecs_take_what_they_can_write() {
        let text = Type::Text(Layout::Views);
        assert_eq!(Encoding::of(None, &text), Ok(Encoding::AsIs));
        assert_eq!(Encoding::of(Some("msgpack"), &text), Err("codec 'msgpack' takes no text".into()));
        assert_eq!(Encoding::of(Some("int64"), &Type::Bool), Err("codec 'int64' takes no bool".into()));
        assert_eq!(Encoding::of(Some("int64"), &Type::Null), Ok(Encoding::Integer { bytes: 8, is_signed: true }));
        for date in ["tdD", "tdm"].into_iter().filter_map(Type::of_format) {
            assert!(Encoding::of(None, &date).is_err_and(|problem| problem.contains("date")));
            assert_eq!(Encoding::of(Some("datetime"), &date), Ok(Encoding::Instant));
        }
        let naive = Type::Instant { unit: Unit::Seconds, has_zone: false };
        assert!(Encoding::of(Some("datetime"), &naive).is_err());
        let category = Type::Dictionary { bytes: 1, is_signed: true, values: Box::new(text) };
        assert_eq!(Encoding::of(Some("text"), &category), Ok(Encoding::Text));
    }

    #[test]
    fn numbers_keep_to_their_bounds() {
        let byte = Encoding::Integer { bytes: 1, is_signed: false };
        assert_eq!(written(byte, Value::Integer(255)), Ok(vec![255]));
        assert_eq!(written(byte, Value::Integer(256)), Err("256 is outside 0 to 255".into()));
        assert_eq!(written(byte, Value::Float(7.0)), Ok(vec![7]));
        assert!(written(byte, Value::Float(f64::NAN)).is_err());
        assert!(written(Encoding::Float64, Value::Integer((1 << 53) + 1)).is_err());
        assert_eq!(written(Encoding::Decimal, Value::Decimal(-1, 2)), Ok(vec![0, 0, 0, 2, 0xff]));
        assert!(written(Encoding::Json, Value::Text(b"{")).is_err());
    }
}
