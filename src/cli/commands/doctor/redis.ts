import type { Config } from '../../../app/config.ts'
import type { Finding } from '../../../contracts/ports.ts'
import { redisPlace } from '../../../engine/store/redis/redis-url.ts'

/** Whether Redis answers, where one is set. Without it the program goes on, so that it is no fault. */
export async function redisFindings({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return []
  const topic = 'Redis'
  const place = redisPlace(redisUrl)
  try {
    const { pingRedis } = await import('../../../engine/store/redis/ping.ts')
    return [{ topic, state: 'ok', says: `${place} answers in ${Math.ceil(await pingRedis(redisUrl))} ms` }]
  } catch (thrown) {
    const says = `${place}: ${thrown instanceof Error ? thrown.message : String(thrown)}`
    return [
      { topic, state: 'note', says, advice: 'Until it answers, the database counts limits. Check GOSSAMER_REDIS_URL.' },
    ]
  }
}
