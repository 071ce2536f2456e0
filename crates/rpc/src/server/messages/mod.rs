//! Calls and answers: their parts, their memory, and conversion between messages and the model's operations.
//!
//! | file | contents |
//! |---|---|
//! | `service`, `call` | the services; a call and its answer |
//! | `exception` | errors as Java exceptions, which tell clients whether to retry |
//! | `buffers`, `answer_memory` | pool of large buffers; the limit on the memory of answers |
//! | `cells`, `reads`, `mutations` | conversion between messages and the model's operations |

pub(super) mod answer_memory;
pub(super) mod buffers;
pub(super) mod call;
pub(super) mod cells;
pub(super) mod exception;
pub(super) mod mutations;
pub(super) mod reads;
pub(super) mod service;
