import type { Ctx } from '../../core/ctx.ts'
import type { Ports } from '../../core/ports.ts'
import { activityWindowMs } from './activity.ts'

/** What runs and waits for the team in this process, and when a job last ended well (within a day). */
export async function queueStatus(ports: Pick<Ports, 'account' | 'jobs' | 'clock'>, { team }: Pick<Ctx, 'team'>) {
  const { active, waiting } = ports.account.load(team.id)
  const [latest] = await ports.jobs.activity({
    teamId: team.id,
    since: ports.clock.now() - activityWindowMs,
    limit: 1,
    status: 'completed',
  })
  return {
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: ports.account.maxConcurrency,
    mostRecentSuccess: latest ? new Date(latest.createdAt).toISOString() : null,
  }
}
