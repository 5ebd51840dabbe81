import type { GrantedPermission } from '../../../../contracts/account-ports.ts'
import { errors } from '../../../../kernel/error-table.ts'
import type { ErrorCode } from '../../../../kernel/error.ts'
import type { Diagnosis, StateRule } from '../case.ts'

/** Options that require a permission. */
const permissionOf: Readonly<Record<string, GrantedPermission>> = {
  zeroDataRetention: 'zeroDataRetention',
  ignoreRobotsTxt: 'ignoreRobotsTxt',
  robotsUserAgent: 'robotsUserAgent',
  enterprise: 'searchEnterprise',
}

/** Rules about the state of the team and the machine. */
export const stateRules: readonly StateRule[] = [
  {
    id: 'credits',
    codes: ['INSUFFICIENT_CREDITS'],
    asks: /credit|402|quota|billing|payment|insufficient/i,
    finds: ({ credits: { used, limit } }) =>
      limit !== undefined && used >= limit
        ? {
            says: `The team has used ${used} of its ${limit} credits of this month, so calls that cost credits are refused with INSUFFICIENT_CREDITS. Wait for the next month, or ask the operator to raise GOSSAMER_MONTHLY_CREDITS.`,
          }
        : undefined,
  },
  {
    id: 'concurrency',
    codes: ['QUEUE_FULL'],
    asks: /429|concurren|too many|queue|parallel|at the same time|slots?\b|waiting/i,
    finds: ({ load: { active, waiting, most } }) =>
      active >= most || waiting > 0
        ? {
            says: `The team may run ${most} calls of this kind at the same time; ${active} run now and ${waiting} wait, so further ones wait or are refused with QUEUE_FULL. Send fewer at once, or ask the operator to raise GOSSAMER_MAX_CONCURRENCY.`,
          }
        : undefined,
  },
  {
    id: 'permission',
    codes: ['PERMISSION_REQUIRED'],
    asks: /permission|enabled|operator|403|zeroDataRetention|ignoreRobotsTxt|robotsUserAgent|enterprise/i,
    finds: ({ permissions }, { namesField }) => {
      const option = Object.keys(permissionOf).find(namesField)
      const permission = option === undefined ? undefined : permissionOf[option]
      if (option === undefined || permission === undefined || permissions.includes(permission)) return undefined
      return {
        says: `${option} works only where the operator has enabled it, and your team has no permission for it, so such calls are refused with PERMISSION_REQUIRED. Leave it out, or ask the operator to add ${permission} to the permissions of the team (GOSSAMER_PERMISSIONS).`,
        parameters: { [option]: option === 'zeroDataRetention' || option === 'ignoreRobotsTxt' ? false : null },
      }
    },
  },
  {
    id: 'disk-full',
    codes: ['STORAGE_FULL'],
    asks: /507|disk|storage|space|stuck|store/i,
    finds: ({ isStorageFull }) =>
      isStorageFull
        ? { says: `${errors.STORAGE_FULL.message} Jobs wait for room. ${errors.STORAGE_FULL.hint}` }
        : undefined,
  },
  {
    id: 'session-ended',
    codes: ['SESSION_GONE'],
    asks: /session|live browser|browser_|410|interact/i,
    finds: ({ endedSessions }, { named: { ids } }) => {
      const named = endedSessions.find(({ id }) => ids.includes(id))
      const session = named ?? endedSessions[0]
      if (!session) return undefined
      const why = session.wasOutOfTime
        ? 'its ttl was up'
        : 'it was closed, or nothing used it for the time of activityTtl'
      return {
        says: `The browser session ${session.id} ended at ${new Date(session.endedAt).toISOString()}: ${why}. Calls for it answer SESSION_GONE; open a new one with browser_create, with a longer ttl or activityTtl if it should last.`,
      }
    },
  },
  {
    id: 'model-unset',
    asks: /\b(?:model|llm|openai|anthropic|ollama|gpt|claude)\b/i,
    finds: ({ hasModel }) => (hasModel ? undefined : ofCode('MODEL_UNAVAILABLE')),
  },
  {
    id: 'browser-missing',
    asks: /browser|screenshot|chrom|javascript/i,
    finds: ({ hasBrowser }) => (hasBrowser ? undefined : ofCode('BROWSER_UNAVAILABLE')),
  },
  {
    id: 'search-thin',
    asks: /search.*(?:no|few|empty|block|fail|poor|bad|result)|(?:no|few|empty|poor|bad).*search/i,
    finds: ({ searchesWholeWeb }) =>
      searchesWholeWeb
        ? undefined
        : {
            says: 'No search provider with a key or an address of its own is set here, so searches depend on public results pages, which block and limit automated visitors. Ask the operator to set GOSSAMER_SEARXNG_URL or a key such as GOSSAMER_BRAVE_KEY.',
          },
  },
]

/** Explains an error code named in a question. */
export function ofCode(code: ErrorCode): Diagnosis {
  const { message, hint } = errors[code]
  return { says: `${code} means: ${message} ${hint}` }
}
