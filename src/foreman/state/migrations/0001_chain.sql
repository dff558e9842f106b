-- The chain: accounts, contracts and their state, transactions and the journal.
-- Addresses are 20-byte blobs, amounts are wei as 32-byte big-endian blobs (so they sort, and cannot be negative),
-- times are microseconds since 1970.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE accounts (
    address BLOB PRIMARY KEY,
    balance BLOB NOT NULL CHECK (length(balance) = 32),
    nonce   INTEGER NOT NULL CHECK (nonce >= 0)
) WITHOUT ROWID;

CREATE TABLE sources (
    hash   BLOB PRIMARY KEY,
    source BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE contracts (
    id          INTEGER PRIMARY KEY,
    address     BLOB NOT NULL UNIQUE,
    source_hash BLOB NOT NULL REFERENCES sources (hash)
);

-- One ordered map per contract; a page of orders is one range of it.
CREATE TABLE state (
    contract INTEGER NOT NULL,
    key      BLOB NOT NULL,
    value    BLOB NOT NULL,
    PRIMARY KEY (contract, key)
) WITHOUT ROWID;

CREATE TABLE transactions (
    id          INTEGER PRIMARY KEY,             -- order of arrival
    hash        BLOB NOT NULL UNIQUE,
    kind        TEXT NOT NULL,
    sender      BLOB NOT NULL,
    origin      BLOB NOT NULL,
    nonce       INTEGER NOT NULL,                -- of the signed transaction; 0 for a message
    target      BLOB NOT NULL,
    value       BLOB NOT NULL CHECK (length(value) = 32),
    calldata    BLOB NOT NULL,
    code        BLOB,
    leader_only INTEGER NOT NULL,
    parent      BLOB,                            -- the transaction whose run sent this one
    errored     INTEGER NOT NULL,
    depth       INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    position    INTEGER UNIQUE,                  -- place in the order, from activation on
    at          INTEGER,                         -- the time its contract sees, from activation on
    block       INTEGER UNIQUE,                  -- place in the order of commits, from its commit on
    receipt     TEXT
);

-- A nonce is spent once: what an account signed is recorded once.
CREATE UNIQUE INDEX transactions_by_nonce ON transactions (sender, nonce) WHERE parent IS NULL;
CREATE INDEX transactions_by_sender ON transactions (sender, id);
CREATE INDEX transactions_by_target ON transactions (target, id);
CREATE INDEX transactions_by_parent ON transactions (parent) WHERE parent IS NOT NULL;
-- What a restart resumes: pending, and accepted but not yet final.
CREATE INDEX transactions_open ON transactions (id) WHERE status IN (1, 5);

-- Every durable change of a status, in order; the cursor of the event stream.
CREATE TABLE journal (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    hash   BLOB NOT NULL,
    status INTEGER NOT NULL,
    at     INTEGER NOT NULL
);
