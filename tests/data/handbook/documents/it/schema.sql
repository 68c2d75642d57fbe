-- The tables of Ferry that the shops see.

-- A boat keeps its number when it gets a new hull; the tag belongs to the hull.
CREATE TABLE boat (
    number   text PRIMARY KEY,
    tag      text UNIQUE NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('canoe', 'kayak', 'tent')),
    state    text NOT NULL DEFAULT 'free',
    lake     text NOT NULL
);

-- Deposits are blocked on a card; a block ends after 14 days at the latest.
CREATE TABLE deposit (
    rental   bigint PRIMARY KEY,
    cents    integer NOT NULL CHECK (cents IN (30000, 15000)),
    blocked  timestamptz NOT NULL,
    lifted   timestamptz
);

-- What the shift lead reads at seven in the evening.
CREATE VIEW still_out AS
SELECT boat.number, boat.lake, now() - deposit.blocked AS since
FROM boat JOIN deposit ON deposit.lifted IS NULL
WHERE boat.state = 'out';
