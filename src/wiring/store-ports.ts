import type { Crawls, Snapshots } from '../core/crawl.ts'
import { lazyPort } from '../core/lazy.ts'
import type { Hosts, Jobs, PageCache, Ports, Usage } from '../core/ports.ts'
import type { PageIndex } from '../core/search.ts'
import type { Store } from '../engine/store/open-store.ts'

type StorePorts = Pick<Ports, 'hosts' | 'pages' | 'index' | 'jobs' | 'usage' | 'crawls' | 'deliveries' | 'snapshots'>

/** The ports behind the database, which is opened by the first call of any of them. */
export function storePorts(store: () => Promise<Store>): StorePorts {
  return {
    hosts: lazyPort<Hosts>(async () => (await store()).hosts, ['needsBrowser', 'note']),
    pages: lazyPort<PageCache>(async () => (await store()).pages, ['find', 'body', 'keep', 'addMade']),
    index: lazyPort<PageIndex>(
      async () => (await store()).index,
      ['put', 'search', 'highlights', 'urlsOf', 'facts', 'prune'],
    ),
    jobs: lazyPort<Jobs>(async () => (await store()).jobs, ['record', 'find', 'activity']),
    usage: lazyPort<Usage>(async () => (await store()).usage, ['months', 'since']),
    snapshots: lazyPort<Snapshots>(async () => (await store()).snapshots, ['last', 'keep']),
    deliveries: lazyPort<Ports['deliveries']>(async () => (await store()).deliveries, ['givenUp']),
    crawls: lazyPort<Crawls>(
      async () => (await store()).crawls,
      [
        ...(['begin', 'find', 'running', 'add', 'skip', 'claim', 'finish', 'slowDown', 'takeKickOff', 'land'] as const),
        ...(['endKickOff', 'warn', 'complete', 'cancel', 'append', 'documents', 'document', 'failures'] as const),
        ...(['takeNoMore', 'skipped', 'renew', 'release', 'reap'] as const),
      ],
    ),
  }
}
