import type { LiveNode, Node, NodeFacts, Nodes } from '../../../contracts/cluster/node.ts'
import type { Log } from '../../../kernel/log.ts'

/** Twice as long as a server looks for a database that restarts, and some. */
const leaseMs = 20_000
const renewMs = 5000
/** Calls of one session follow each other quickly. */
const knownMs = 1000

/** This server among those that share its database. */
export type Membership = {
  readonly id: string
  join(): Promise<void>
  /** The others send nothing new here any more. */
  leave(): Promise<void>
  alive(): Promise<LiveNode[]>
  /** Also one that has only just started. */
  find(id: string): Promise<LiveNode | undefined>
}

type Entry = { node: Node; facts(): Promise<NodeFacts>; nodes(): Promise<Nodes>; log: Log }

export function createMembership({ node, facts, nodes, log }: Entry): Membership {
  let timer: NodeJS.Timeout | undefined
  let known: { at: number; alive: Promise<LiveNode[]> } | undefined
  const renew = async () => (await nodes()).renew({ ...node, facts: await facts() }, leaseMs)
  const alive = () => (known !== undefined && performance.now() - known.at < knownMs ? known.alive : look())

  function look(): Promise<LiveNode[]> {
    const seen = nodes().then((open) => open.alive())
    seen.catch(() => (known = undefined))
    known = { at: performance.now(), alive: seen }
    return seen
  }
  return {
    id: node.id,
    async join() {
      await renew()
      timer = setInterval(
        () =>
          void renew().catch((cause: unknown) => log.warn('the lease of this server could not be renewed', { cause })),
        renewMs,
      ).unref()
    },
    async leave() {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      await (
        await nodes()
      )
        .leave(node.id)
        .catch((cause: unknown) => log.warn('the others were not told of the end', { cause }))
    },
    alive,
    async find(id) {
      const among = (all: readonly LiveNode[]) => all.find((each) => each.id === id)
      return among(await alive()) ?? among(await look())
    },
  }
}
