-- PostgreSQL does not inline an immutable function that calls a stable one.
ALTER FUNCTION mailbox_key(text) STABLE;
