/** The commands that are sent, and the modules of @redis/client that make them: the build leaves hundreds of others out. */
export const redisCommands = { eval: 'EVAL', ping: 'PING', publish: 'PUBLISH', zRange: 'ZRANGE' } as const
