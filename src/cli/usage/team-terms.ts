import { randomBytes } from 'node:crypto'
import type { TeamTerms } from '../../contracts/account.ts'
import { permissions } from '../../schema/team.ts'
import { ratesOf } from '../../engine/account/rates.ts'
import { isAllowEntry } from '../../engine/net/address/address.ts'
import { UsageError } from '../command.ts'
import type { CommandFlags } from './flags.ts'

type Read<T> = (text: string) => T

/** The terms that flags name; `default` stands for what the settings say. */
export function termsIn(flags: CommandFlags): TeamTerms {
  const { concurrency, browsers, rate, credits, allow, unsandboxed, privateHosts, secret } = flags
  return {
    ...(concurrency !== undefined && { maxConcurrency: orDefault(concurrency, countOf('--concurrency', 1)) }),
    ...(browsers !== undefined && { maxSessions: orDefault(browsers, orNone(countOf('--browsers', 0))) }),
    ...(rate !== undefined && { requestsPerMinute: orDefault(rate, orNone(rates)) }),
    ...(credits !== undefined && { monthlyCredits: orDefault(credits, orNone(countOf('--credits', 0))) }),
    ...(allow !== undefined && { permissions: orDefault(allow, (text) => (text === 'none' ? [] : granted(text))) }),
    ...(unsandboxed !== undefined && { unsandboxedCode: orDefault(unsandboxed, yesOrNo) }),
    ...(privateHosts !== undefined && {
      privateHosts: orDefault(privateHosts, (text) => (text === 'none' ? [] : hosts(text))),
    }),
    ...(secret !== undefined && { webhookSecret: orDefault(secret, orNone(webhookSecret)) }),
  }
}

const orDefault = <T>(text: string, read: Read<T>): T | undefined => (text === 'default' ? undefined : read(text))
const orNone =
  <T>(read: Read<T>): Read<T | null> =>
  (text) =>
    text === 'none' ? null : read(text)

const countOf =
  (flag: string, least: number): Read<number> =>
  (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new UsageError(`${flag} takes a whole number from ${least} on, none or default, but got: ${text}`)
  }

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError(`--unsandboxed takes yes, no or default, but got: ${text}`)
}

const listIn = (text: string) => text.split(',').map((item) => item.trim())

function rates(text: string) {
  try {
    return ratesOf(listIn(text))
  } catch (error) {
    throw new UsageError(`--rate: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function granted(text: string) {
  return listIn(text).map((name) => {
    const known = permissions.find((permission) => permission === name)
    if (known) return known
    throw new UsageError(`--allow takes some of ${permissions.join(', ')}, none or default, but got: ${name}`)
  })
}

function hosts(text: string): string[] {
  const entries = listIn(text)
  const wrong = entries.find((entry) => !isAllowEntry(entry))
  if (wrong === undefined) return entries
  throw new UsageError(`--private-hosts takes names, addresses or CIDR ranges, none or default, but got: ${wrong}`)
}

const leastSecret = 8

function webhookSecret(text: string): string {
  if (text === 'new') return randomBytes(24).toString('base64url')
  if (text.length >= leastSecret) return text
  throw new UsageError(`--secret takes new, none, default, or at least ${leastSecret} characters.`)
}
