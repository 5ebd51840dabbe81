/** The part of a `Worker`, or of a child process, that a crew needs. */
type Member = {
  ref(): void
  unref(): void
  terminate(): unknown
  on(event: 'error' | 'exit', forget: () => void): unknown
}

export type Crew<M> = {
  start(): M
  /** The member that rests for the shortest time, so that the others reach their end. Undefined if none rests. */
  wake(): M | undefined
  /** Keeps a member for the next task; neither the program nor, after a while, the member stays alive for it. */
  rest(member: M): void
  end(member: M): Promise<void>
  /** Number of members, busy or idle. */
  count(): number
  close(): Promise<void>
}

type CrewOptions<M> = {
  start(): M
  idleMs: number
  /** How long the last member rests. */
  lastIdleMs?: number
}

/** Threads or child processes that are used again. One that has ended or failed is forgotten; an error concerns no later caller. */
export function createCrew<M extends Member>({ start, idleMs, lastIdleMs = idleMs }: CrewOptions<M>): Crew<M> {
  const all = new Set<M>()
  const idle = new Map<M, NodeJS.Timeout>()

  function forget(member: M): void {
    all.delete(member)
    clearTimeout(idle.get(member))
    idle.delete(member)
  }
  async function end(member: M): Promise<void> {
    forget(member)
    await member.terminate()
  }

  return {
    start() {
      const member = start()
      all.add(member)
      member.on('error', () => forget(member))
      member.on('exit', () => forget(member))
      return member
    },
    wake() {
      const member = [...idle.keys()].at(-1)
      if (!member) return undefined
      clearTimeout(idle.get(member))
      idle.delete(member)
      member.ref()
      return member
    },
    rest(member) {
      if (!all.has(member)) return
      member.unref()
      const restMs = all.size > 1 ? idleMs : lastIdleMs
      idle.set(member, setTimeout(() => void end(member), restMs).unref())
    },
    end,
    count: () => all.size,
    close: async () => void (await Promise.all([...all].map(end))),
  }
}
