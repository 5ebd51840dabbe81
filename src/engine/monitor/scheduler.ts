import type { Monitor, MonitorSchedule } from '../../contracts/workflow.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import { createRounds } from '../../util/rounds.ts'
import { newCheck, nextTurn, settingsOf } from './monitor-settings.ts'

type SchedulerPorts = Pick<Ports, 'monitors' | 'clock' | 'workflowRunner'>

const atOnce = 50
/** Maximum number of monitors examined after the clock was set back, those farthest ahead first. */
const checkedAhead = 1000
const shortestSleepMs = 500
/** Limited because another process may add a monitor, or die and leave one. */
const longestSleepMs = 30_000

/**
 * Creates a scheduler that starts due checks, together with the other processes on the same data. If checks were missed
 * while no process ran, one is started. The scheduler starts with `wake`, and never keeps the process alive.
 */
export function createScheduler(ports: SchedulerPorts, log: Log): MonitorSchedule & { close(): Promise<void> } {
  const { monitors, clock } = ports
  /** Infinity, because the clock may have been set back before this process started. */
  let lastAt = Infinity

  const rounds = createRounds({
    async round() {
      if (clock.now() < lastAt) await bringForward(ports, log)
      lastAt = clock.now()
      const due = await monitors.due(atOnce)
      for (const monitor of due) await startDue(ports, monitor, log)
      if (due.length === atOnce) rounds.wake()
      const sleepMs = ((await monitors.upcoming()).nextAt ?? Infinity) - clock.now()
      return Math.min(longestSleepMs, Math.max(shortestSleepMs, sleepMs))
    },
    failed(cause) {
      log.error('monitors could not be read', { cause })
      return longestSleepMs
    },
  })
  return rounds
}

/**
 * Corrects the times of checks that are later than the schedule says. They were computed while the clock was ahead, and
 * would otherwise delay the checks by as much.
 */
async function bringForward({ monitors, clock }: SchedulerPorts, log: Log): Promise<void> {
  for (const monitor of await monitors.ahead(checkedAhead)) {
    const nextAt = await nextTurn(settingsOf(monitor).schedule, monitor.id, clock.now()).catch(() => null)
    if (nextAt === null || monitor.nextAt === null || monitor.nextAt <= nextAt) continue
    log.warn('monitor was scheduled too far ahead', { monitorId: monitor.id, nextAt })
    await monitors.reschedule(monitor, nextAt)
  }
}

/** Starts a due check. Never fails, because one monitor must not delay the others. */
async function startDue({ monitors, clock, workflowRunner }: SchedulerPorts, monitor: Monitor, log: Log) {
  const { id: monitorId, nextAt: dueAt } = monitor
  if (dueAt === null) return
  try {
    const now = clock.now()
    const nextAt = await nextTurn(settingsOf(monitor).schedule, monitorId, now)
    const check = newCheck(monitor, now, { dueAt, nextAt })
    if (await monitors.begin(check)) log.info('monitor check started', { monitorId, checkId: check.workflow.id })
    else log.info('monitor check skipped: one is still running, or another process started it', { monitorId })
    workflowRunner.wake()
  } catch (cause) {
    log.error('monitor check could not be started', { monitorId, cause })
  }
}
