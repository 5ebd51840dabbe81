import { type Account, type Usage, monthStart } from '../contracts/account-ports.ts'
import type { Storage } from '../contracts/job-ports.ts'
import type { Clock } from '../contracts/ports.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { fail, failure } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { type AnyOperation, effectForAgents } from '../kernel/operation.ts'

/** Refuses options that the operator has not granted to the team. Fails with PERMISSION_REQUIRED. */
export const requirePermission: Middleware = ({ permissions }, next) => {
  if (!permissions) return next
  return async (input, ctx) => {
    const missing = permissions(input).filter((permission) => !ctx.team.permissions.includes(permission))
    if (missing.includes('admin'))
      fail('PERMISSION_REQUIRED', {
        message: 'This needs the admin key of the server.',
        hint: 'Send the key of GOSSAMER_ADMIN_KEY, or use "gossamer teams" and "gossamer keys" on the machine.',
        details: { permissions: missing },
      })
    if (missing.length > 0)
      fail('PERMISSION_REQUIRED', {
        message: `This must be enabled by the operator: ${missing.join(', ')}.`,
        details: { permissions: missing },
      })
    return next(input, ctx)
  }
}

/**
 * Refuses calls that the key does not permit. On a read-only server, or with a read-only key, it also refuses calls that
 * may change something, even by their arguments, such as a scrape that clicks. Fails with PERMISSION_REQUIRED.
 */
export const requireAllowed =
  (isReadOnlyServer: boolean): Middleware =>
  (operation, next) =>
  async (input, ctx) => {
    const { readOnly = false, operations } = ctx.team.limits ?? {}
    if (operations && !operations.includes(operation.name))
      fail('PERMISSION_REQUIRED', {
        message: `This key may not call ${operation.name}.`,
        hint: `Call one of ${operations.join(', ')}, or ask the operator for a key that may.`,
      })
    return next(readOnly || isReadOnlyServer ? readingInput(operation, input) : input, ctx)
  }

function readingInput(operation: AnyOperation, input: object): object {
  const { name, mcp } = operation
  if (effectForAgents(operation) !== 'read')
    fail('PERMISSION_REQUIRED', {
      message: `Only calls that change nothing are allowed here, and ${name} may change something.`,
      hint: 'Use a call that reads, such as scrape, search or map, or ask the operator for a key that is not read-only.',
    })
  try {
    return (mcp && mcp.forAgents?.(input as Record<string, unknown>)) || input
  } catch (thrown) {
    return fail('PERMISSION_REQUIRED', {
      message: `Only calls that change nothing are allowed here, and this ${name} would act on a page or save a profile.`,
      hint: 'Leave out actions that click, type or run code.',
      cause: thrown,
    })
  }
}

/** Counts calls that start a job towards the team's rate limit, and refuses those above it. Fails with RATE_LIMITED. */
export const limitRate =
  ({ countCall }: Pick<Account, 'countCall'>): Middleware =>
  ({ job }, next) => {
    if (!job) return next
    const { endpoint } = job
    return async (input, ctx) => {
      const rate = await countCall(ctx.team.id, endpoint)
      if (!rate) return next(input, ctx)
      const { limit, left, isCounted } = rate
      const resetSeconds = Math.max(1, Math.ceil(rate.resetMs / 1000))
      ctx.reportRate?.({ endpoint, limit, left, resetSeconds })
      if (!isCounted)
        fail('RATE_LIMITED', {
          message: `The team may make ${limit} calls of ${endpoint} a minute.`,
          details: { endpoint, limit, retryAfterSeconds: resetSeconds },
        })
      return next(input, ctx)
    }
  }

/** Lets calls with a time limit run only in one of the team's slots; waiting for a slot counts towards the limit. */
export const limitConcurrency =
  (account: Pick<Account, 'take'>, clock: Clock): Middleware =>
  (operation, next) => {
    if (!operation.limitMs) return next
    const { limitMs: limitOf } = operation
    return async (input, ctx) => {
      const limitMs = limitOf(input)
      const slot = await account
        .take(ctx.team.id, deadlineOf(ctx, clock, limitMs))
        .catch((reason: unknown) => refused(reason, ctx, limitMs))
      const queuedMs = slot.hasWaited ? Math.max(1, clock.now() - ctx.startedAt) : 0
      try {
        return await next(input, { ...ctx, queuedMs })
      } finally {
        slot.release()
      }
    }
  }

/** The limit counts from the arrival of the call. */
function deadlineOf(ctx: Ctx, clock: Clock, limitMs: number): AbortSignal {
  const leftMs = Math.max(0, limitMs - (clock.now() - ctx.startedAt))
  return AbortSignal.any([ctx.signal, AbortSignal.timeout(leftMs)])
}

function refused(reason: unknown, ctx: Ctx, limitMs: number): never {
  if (ctx.signal.aborted) fail('REQUEST_CANCELLED', { cause: reason })
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    fail('SCRAPE_TIMEOUT', {
      message: `No free slot within the timeout of ${limitMs} ms.`,
      details: { timeoutMs: limitMs },
    })
  throw reason
}

/** Interval of the check for removed teams, whose calls must end within five seconds. */
const checkMs = 2000

/**
 * Ends a running call when its team is removed or loses its last key, in whichever process. Fails with TEAM_DISABLED.
 */
export const endWithTeam =
  ({ limitsOf }: Pick<Account, 'limitsOf'>): Middleware =>
  (_operation, next) =>
  async (input, ctx) => {
    const over = new AbortController()
    const check = async () => {
      const { stoppedAt } = await limitsOf(ctx.team.id)
      if (ctx.startedAt <= stoppedAt)
        over.abort(
          failure('TEAM_DISABLED', {
            message: 'The team or its last key was removed while this call ran.',
            hint: 'Ask the operator for another key.',
          }),
        )
    }
    // If the store cannot be read, the call continues.
    const timer = setInterval(() => void check().catch(() => {}), checkMs).unref()
    try {
      return await next(input, { ...ctx, signal: AbortSignal.any([ctx.signal, over.signal]) })
    } finally {
      clearInterval(timer)
    }
  }

type CreditPorts = { account: Pick<Account, 'limitsOf' | 'holdCredits'>; usage: Pick<Usage, 'since'>; clock: Clock }

/**
 * Reserves the minimum cost of a priced call until it is recorded, and refuses calls that exceed the team's monthly
 * credits. Fails with INSUFFICIENT_CREDITS.
 */
export const requireCredits =
  ({ account, usage, clock }: CreditPorts): Middleware =>
  (operation, next) => {
    if (!operation.price) return next
    const { reserve = () => 1 } = operation
    return async (input, ctx) => {
      const { id: teamId } = ctx.team
      const { monthlyCredits } = await account.limitsOf(teamId)
      if (monthlyCredits === undefined) return next(input, ctx)
      const credits = reserve(input)
      const end = await account.holdCredits({ jobId: ctx.jobId, teamId, credits, monthlyCredits })
      if (!end) {
        const used = await usage.since(teamId, monthStart(clock.now()))
        return fail('INSUFFICIENT_CREDITS', { details: { monthlyCredits, used, needed: credits } })
      }
      try {
        return await next(input, ctx)
      } finally {
        end()
      }
    }
  }

/** Refuses to start jobs if there is no space for results. Fails with STORAGE_FULL. */
export const requireStorage =
  (storage: Storage): Middleware =>
  ({ follow }, next) => {
    if (!follow) return next
    return async (input, ctx) => ((await storage.isFull()) ? fail('STORAGE_FULL') : next(input, ctx))
  }
