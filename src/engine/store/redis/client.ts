import { createClient, type RedisClientOptions } from '@redis/client'
import type { redisCommands } from './commands.ts'

type Whole = ReturnType<typeof createClient>
type Link = 'connect' | 'destroy' | 'isReady' | 'on' | 'subscribe'

/** A client of Redis with the commands of our list: what is not in it does not compile. */
export type Client = Pick<Whole, Link | keyof typeof redisCommands> & { duplicate(): Client }

export const newClient = (options: RedisClientOptions): Client => createClient(options)
