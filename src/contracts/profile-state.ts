import { z } from 'zod'

const Path = z.union([z.string(), z.array(z.string())]).nullish()

/** Values and keys that JSON cannot represent are encoded as in Playwright. */
const Database = z.object({
  name: z.string(),
  version: z.number().int().min(1),
  stores: z.array(
    z.object({
      name: z.string(),
      autoIncrement: z.boolean(),
      keyPath: Path,
      keyPathArray: z.array(z.string()).nullish(),
      records: z.array(
        z.object({
          key: z.unknown().optional(),
          keyEncoded: z.unknown().optional(),
          value: z.unknown().optional(),
          valueEncoded: z.unknown().optional(),
        }),
      ),
      indexes: z.array(
        z.object({
          name: z.string(),
          keyPath: Path,
          keyPathArray: z.array(z.string()).nullish(),
          multiEntry: z.boolean(),
          unique: z.boolean(),
        }),
      ),
    }),
  ),
})

const StoredFile = z.object({
  /** Names from the root, separated by slashes. */
  path: z.string().min(1),
  type: z.enum(['file', 'directory']),
  base64: z.string().optional(),
})

const Origin = z.object({
  origin: z.url({ protocol: /^https?$/ }).refine((text) => new URL(text).origin === text, 'must be an origin'),
  localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  indexedDB: z.array(Database).optional(),
  opfs: z.array(StoredFile).optional(),
})

const StoredCookie = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string().min(1),
  path: z.string().default('/'),
  /** Seconds since 1970; -1 for a session cookie. */
  expires: z.number().default(-1),
  httpOnly: z.boolean().default(false),
  secure: z.boolean().default(false),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  /** The top-level site of a partitioned cookie. */
  partitionKey: z.string().optional(),
  _crHasCrossSiteAncestor: z.boolean().optional(),
})

/** Stored state of a browser, in the format of Playwright's storage state. */
export const ProfileState = z.object({
  cookies: z.array(StoredCookie).default([]),
  origins: z.array(Origin).default([]),
})
export type ProfileState = z.output<typeof ProfileState>
export type OriginState = ProfileState['origins'][number]
export type ProfileCookie = ProfileState['cookies'][number]
export type DatabaseState = z.output<typeof Database>
export type FileState = z.output<typeof StoredFile>
