import type { Documentation } from '../../contracts/documentation.ts'
import { lazyPort, once } from '../../util/lazy.ts'

/** It is the same for every app of a process. */
const documentation = once(async () => (await import('../../engine/support/docs/shipped.ts')).openDocumentation())

/** Its pages are read and indexed at the first question. */
export const documentationPort = (): Documentation => lazyPort<Documentation>(documentation, { find: true })
