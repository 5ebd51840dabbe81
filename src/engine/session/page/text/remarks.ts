import { AppError, type ErrorCode } from '../../../../kernel/error.ts'
import { isRecord } from '../../../../util/json.ts'
import type { SessionAction } from '../../../../contracts/render-port.ts'
import type { KeptFile } from '../../session-downloads.ts'

export type ActionType = SessionAction['type']
export type ActionOf<T extends ActionType> = Extract<SessionAction, { type: T }>

/** Actions that do not change the page; any other action may. */
export const readOnlyActs: ReadonlySet<ActionType> = new Set(['extract', 'wait', 'screenshot', 'network', 'console'])

/** Result of an action. `remark`: such as "is 5 now"; `picture`: a data URL; `place`: the lines around a text. */
export type ActionOutcome = {
  remark?: string
  /** True if something changed that a snapshot does not show. */
  hasEffect?: true
  extracted?: string
  picture?: string
  /** Full screenshot, if `picture` shows only its first part. */
  file?: KeptFile
  place?: { sought: string; text: string }
}

export type Attempted = { outcome: ActionOutcome } | { failure: string }

const elsewhere = 'Try another address of the site, or search for it.'
const again = 'Try again in a while: {type: "reload"}.'
const unverified =
  'It cannot be clicked away here. If you trust the site, scrape the address with skipTlsVerification: true, and act with that scrapeId as sessionId.'

/** Explanations of load errors with the next action; the first matching rule applies. */
const rules: readonly (readonly [code: ErrorCode, reason: RegExp, says: string, next: string])[] = [
  ['SCRAPE_DNS_RESOLUTION_ERROR', /./, 'There is no host of that name.', `Check its spelling. ${elsewhere}`],
  ['SCRAPE_SSL_ERROR', /CERT_DATE_INVALID|CERT_HAS_EXPIRED/, 'The certificate of the site has expired.', unverified],
  ['SCRAPE_SSL_ERROR', /COMMON_NAME|ALTNAME/, 'The certificate is for another host name.', unverified],
  ['SCRAPE_SSL_ERROR', /AUTHORITY/, 'The certificate is self-signed, or its issuer is unknown.', unverified],
  ['SCRAPE_SSL_ERROR', /REVOKED/, 'The certificate of the site has been revoked.', elsewhere],
  ['SCRAPE_SSL_ERROR', /^(?:SSL|BAD_SSL)/, 'That port may not speak https.', 'Try the address with http://.'],
  ['SCRAPE_SSL_ERROR', /./, 'The certificate of the site could not be verified.', unverified],
  ['SCRAPE_ALL_ENGINES_FAILED', /REFUSED/i, 'The connection was refused.', `Check host and port. ${again}`],
  ['SCRAPE_ALL_ENGINES_FAILED', /TIMED/i, 'The site did not answer in time.', again],
  ['SCRAPE_ALL_ENGINES_FAILED', /RESET|CLOSED|EMPTY/i, 'The site closed the connection without an answer.', again],
  ['SCRAPE_SITE_ERROR', /UNSAFE_PORT/, 'Browsers refuse that port.', elsewhere],
  ['SCRAPE_SITE_ERROR', /BLOCKED_BY/, 'The site does not allow this page to be shown here.', elsewhere],
]

/** Describes a failed navigation with the next step for an agent, by a rule or the error's own hint. */
export function loadFaultText(error: AppError): string {
  const { says, next } = faultOf(error)
  return `${says} ${next}`.trim()
}

export const loadFaultForPeople = (error: unknown): string =>
  `The page could not be opened. ${error instanceof AppError ? faultOf(error).says : ''}`.trim()

function faultOf({ code, message, details, hint = '' }: AppError): { says: string; next: string } {
  const reason = isRecord(details) && typeof details['reason'] === 'string' ? details['reason'] : message
  const rule = rules.find(([of, pattern]) => of === code && pattern.test(reason))
  return rule ? { says: rule[2], next: rule[3] } : { says: message, next: hint }
}
