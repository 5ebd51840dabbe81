import { dayMs } from '../db/calendar.ts'
import { bytes, text } from '../db/columns.ts'
import type { Row } from '../db/db.ts'
import { createSweep, type Expired, type SweepTools } from '../db/sweep.ts'
import { forgetLost } from './slots.ts'
import type { Claim, ClaimedCall, KeyedCalls } from '../../keyed-calls.ts'

/** How long a key stands for its first call. */
const keptMs = dayMs
/** Answers may be large, so few are deleted at a time. */
const slice = 20

export function createKeyedCalls(tools: SweepTools): KeyedCalls & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async claim(call) {
      const now = clock.now()
      const [, , , found] = await db.transaction([
        forgetLost(now),
        {
          sql: 'DELETE FROM keyed_call WHERE team_id = ? AND key_digest = ? AND expires_at <= ?',
          params: [call.teamId, call.keyDigest, now],
        },
        {
          sql: `INSERT INTO keyed_call
              (team_id, key_digest, asks_digest, job_id, claim_id, worker_id, is_answered, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, FALSE, ?)
            ON CONFLICT (team_id, key_digest) DO UPDATE SET claim_id = excluded.claim_id, worker_id = excluded.worker_id
              WHERE keyed_call.asks_digest = excluded.asks_digest AND NOT keyed_call.is_answered
                AND keyed_call.worker_id NOT IN (SELECT id FROM quota_worker)`,
          params: [
            [call.teamId, call.keyDigest, call.asksDigest, call.jobId, call.claimId, call.workerId],
            [now + keptMs],
          ].flat(),
        },
        {
          sql: 'SELECT * FROM keyed_call WHERE team_id = ? AND key_digest = ?',
          params: [call.teamId, call.keyDigest],
        },
      ])
      sweep.nudge()
      return claimOf(found?.rows[0] ?? {}, call)
    },
    async finish({ claimId }, answer) {
      await db.run('UPDATE keyed_call SET is_answered = TRUE, answer = ? WHERE claim_id = ?', [answer, claimId])
    },
    async forget({ claimId }) {
      await db.run('DELETE FROM keyed_call WHERE claim_id = ?', [claimId])
    },
    idle: sweep.idle,
  }
}

function claimOf(row: Row, { claimId, asksDigest }: ClaimedCall): Claim {
  if (Buffer.compare(bytes(row.asks_digest), asksDigest) !== 0) return { state: 'other call' }
  if (row.is_answered === 1) return { state: 'answered', answer: row.answer === null ? null : bytes(row.answer) }
  return text(row.claim_id) === claimId ? { state: 'claimed', jobId: text(row.job_id) } : { state: 'running' }
}

const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: 'DELETE FROM keyed_call WHERE claim_id IN (SELECT claim_id FROM keyed_call WHERE expires_at <= ? LIMIT ?)',
      params: [now, slice],
    },
  ],
}
