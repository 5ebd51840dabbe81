import { z } from 'zod'
import { nodeRoles } from '../../contracts/cluster/node.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { parseRedisUrl } from './redis/redis-url.ts'

/** A text that `parse` takes; otherwise the message is that of its error. */
const textFor = (parse: (text: string) => unknown) =>
  z.string().superRefine((text, check) => {
    try {
      parse(text)
    } catch (error) {
      check.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    }
  })

/** Settings of several servers on one database. */
export const clusterSettings = {
  databaseUrl: textFor(parseDatabaseUrl)
    .optional()
    .meta({ secret: true })
    .describe(
      'PostgreSQL database for cache, jobs, keys and usage, shared by any number of servers: `postgres://user:password@host/database`; unset = a file in `dataDir`.',
    ),
  redisUrl: textFor(parseRedisUrl)
    .optional()
    .meta({ secret: true })
    .describe(
      'Redis or Valkey server that counts limits of teams for all servers and tells them of new jobs: `redis://user:password@host:6379/0`; unset = the database does both.',
    ),
  role: z
    .enum(nodeRoles)
    .default('all')
    .describe(
      'What `serve` does where several servers share a database: `api` takes calls, `worker` carries out the jobs that they begin, `browser` holds live browsers for them, `all` does everything.',
    ),
  crawlServerConcurrency: z.coerce
    .number('takes a number')
    .int('takes a whole number')
    .min(1)
    .optional()
    .describe(
      'Maximum pages of crawls and batches that this server works on at the same time; unset = as many as their teams may have.',
    ),
  nodeUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'URL at which the other servers on the database reach this one, such as `http://10.0.0.5:3000`; unset = they do not.',
    ),
  nodeSecret: z
    .string()
    .min(16)
    .optional()
    .meta({ secret: true })
    .describe(
      'Secret that all servers on the database share, by which they know each other: live sessions of one are then open to callers of all.',
    ),
}
