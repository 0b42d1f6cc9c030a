-- When the money of a refund lot first expired, which bounds how long refunds of it live. What was refunded before the
-- bound was there keeps its expiry, and no refund of it outlives that.

alter table lot add column origin_expires_at {int};
update lot set origin_expires_at = created_at where parent_lot_no is not null;
