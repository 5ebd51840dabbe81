import { z } from 'zod'
import { nodeRoles } from '../../contracts/cluster-nodes.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { parseObjectsUrl } from './objects.ts'

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
  objectsUrl: textFor(parseObjectsUrl)
    .optional()
    .meta({ secret: true })
    .describe(
      'S3-compatible store for large files behind links, shared by all servers on the database: `s3://bucket/prefix?endpoint=https://host&region=name`, with its keys in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; unset = they lie in the database.',
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

type Given = { objectsUrl?: string | undefined }
type Environment = Readonly<Record<string, string | undefined>>

/**
 * The URL with the keys that every program for S3 takes from the environment, unless it holds some itself. They are read only where our
 * own setting names a store. Throws a ZodError where there are none.
 */
export function completedObjects({ objectsUrl }: Given, env: Environment): Given {
  if (objectsUrl === undefined) return {}
  const url = new URL(objectsUrl)
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token, AWS_REGION: region } = env
  if (region && !url.searchParams.has('region')) url.searchParams.set('region', region)
  if (parseObjectsUrl(objectsUrl).credentials) return { objectsUrl: url.href }
  if (!id || !secret)
    throw new z.ZodError([
      { code: 'custom', path: ['objectsUrl'], message: 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY', input: '' },
    ])
  url.username = encodeURIComponent(id)
  url.password = encodeURIComponent(secret)
  if (token) url.searchParams.set('session_token', token)
  return { objectsUrl: url.href }
}
