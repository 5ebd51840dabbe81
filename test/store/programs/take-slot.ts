// Takes a slot of a team and credits, reports that, and keeps them until it is killed.
import { createTeamQuotas } from '../../../src/engine/account/team-quotas.ts'
import { openStoreIn } from './open-here.ts'

const [dir = '', teamId = ''] = process.argv.slice(2)
const { store } = await openStoreIn(dir)
const log = { debug() {}, info() {}, warn() {}, error() {} }
const account = createTeamQuotas({
  quotas: async () => store.quotas,
  usage: store.usage,
  limitsOf: async () => ({
    maxConcurrency: 1,
    maxSessions: undefined,
    requestsPerMinute: {},
    monthlyCredits: 1,
    unsandboxedCode: true,
    disabled: false,
    stoppedAt: -Infinity,
  }),
  maxWaiting: 10,
  clock: { now: Date.now },
  log,
})
await account.take(teamId, new AbortController().signal)
await account.holdCredits({ jobId: 'theirs', teamId, credits: 1, monthlyCredits: 1 })
process.stdout.write('taken\n')
setInterval(() => {}, 1000)
