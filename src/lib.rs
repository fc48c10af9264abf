//! Rules in, strong network out.
