/**
 * Each script is one step that nobody sees half of. Of a team there are its line (`line`: who waits, by arrival), who holds a slot
 * (`held`) and whose each ticket is (`owner`); of a worker what it has taken (`of`), so that all of it can go at once.
 * Times are those of the caller, as in the database. Keys are made in the scripts: one server holds them all.
 */
const shared = `
local P = 'gossamer:slots:'
local function line(team) return P .. 'line:' .. team end
local function held(team) return P .. 'held:' .. team end
local function owner(team) return P .. 'owner:' .. team end
local function of(worker) return P .. 'of:' .. worker end
local function forget(team, id)
  local worker = redis.call('HGET', owner(team), id)
  if not worker then return end
  redis.call('ZREM', line(team), id)
  redis.call('SREM', held(team), id)
  redis.call('HDEL', owner(team), id)
  redis.call('HDEL', of(worker), id)
end
local function release(worker)
  local taken = redis.call('HGETALL', of(worker))
  for at = 1, #taken, 2 do forget(taken[at + 1], taken[at]) end
  redis.call('ZREM', P .. 'workers', worker)
end
local function forgetLost(now)
  for _, worker in ipairs(redis.call('ZRANGEBYSCORE', P .. 'workers', '-inf', now)) do release(worker) end
end
local function letIn(team, most)
  local free = most - redis.call('SCARD', held(team))
  if free <= 0 then return {} end
  local ids = redis.call('ZRANGE', line(team), 0, free - 1)
  for _, id in ipairs(ids) do
    redis.call('ZREM', line(team), id)
    redis.call('SADD', held(team), id)
  end
  return ids
end
`

/** id, team, worker, slots, slots and places in line → `held`, `waiting` or `full`, and whoever is let in. */
export const joinScript = `${shared}
local id, team, worker, slots, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local isFull = false
if redis.call('HEXISTS', owner(team), id) == 0 then
  isFull = redis.call('HLEN', owner(team)) >= most
  if not isFull then
    redis.call('ZADD', line(team), redis.call('INCR', P .. 'arrivals'), id)
    redis.call('HSET', owner(team), id, worker)
    redis.call('HSET', of(worker), id, team)
  end
end
local ids = letIn(team, slots)
if isFull then return { 'full', ids } end
return { redis.call('SISMEMBER', held(team), id) == 1 and 'held' or 'waiting', ids }`

/** id, team, slots → whoever is let in. */
export const leaveScript = `${shared}
forget(ARGV[2], ARGV[1])
return letIn(ARGV[2], tonumber(ARGV[3]))`

/** now, team, slots → whoever is let in. */
export const advanceScript = `${shared}
forgetLost(ARGV[1])
return letIn(ARGV[2], tonumber(ARGV[3]))`

/** worker → its tickets that hold a slot. */
export const heldByScript = `${shared}
local ids = {}
local taken = redis.call('HGETALL', of(ARGV[1]))
for at = 1, #taken, 2 do
  if redis.call('SISMEMBER', held(taken[at + 1]), taken[at]) == 1 then table.insert(ids, taken[at]) end
end
return ids`

/** now, team → how many hold a slot, how many wait. */
export const loadScript = `${shared}
forgetLost(ARGV[1])
return { redis.call('SCARD', held(ARGV[2])), redis.call('ZCARD', line(ARGV[2])) }`

/** now, worker, end of its lease → 1 where it had one. */
export const renewScript = `${shared}
forgetLost(ARGV[1])
local had = redis.call('ZSCORE', P .. 'workers', ARGV[2])
redis.call('ZADD', P .. 'workers', ARGV[3], ARGV[2])
return had and 1 or 0`

/** worker. */
export const releaseScript = `${shared}
release(ARGV[1])`

export const workersKey = 'gossamer:slots:workers'

/**
 * Key of a team and an endpoint; minute, limit → how many are counted with this one, or -1. A clock that runs behind counts into
 * the minute that others have begun.
 */
export const countScript = `
local minute, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local known = tonumber(redis.call('HGET', KEYS[1], 'minute') or -1)
local calls = minute > known and 0 or tonumber(redis.call('HGET', KEYS[1], 'calls'))
if calls >= limit then return -1 end
redis.call('HSET', KEYS[1], 'minute', math.max(minute, known), 'calls', calls + 1)
redis.call('PEXPIRE', KEYS[1], 120000)
return calls + 1`

export const countKey = (teamId: string, endpoint: string) => `gossamer:calls:${endpoint}:${teamId}`
