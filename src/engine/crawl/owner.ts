import { hostname } from 'node:os'

/** Names this process, so that another one on the machine can see that it has died and need not wait for its leases. */
export const newOwner = (): string => [hostname(), process.pid, startedAt(), crypto.randomUUID()].join(' ')

/** True only where it is sure: on this machine, and no such process any more. */
export function hasDied(owner: string): boolean {
  const [host, pid, started] = owner.split(' ')
  if (host !== hostname() || pid === undefined) return false
  if (Number(pid) === process.pid) return started !== startedAt()
  return !isAlive(Number(pid))
}

/** A process id is used again; together with this it is not. */
const startedAt = () => String(Math.round(performance.timeOrigin))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
