import { setTimeout as sleep } from 'node:timers/promises'
import type { CdpMethods } from '../cdp/methods.ts'

/** How mouse and keys are used: as fast as they go, or as a person would. */
export type Pace = 'machine' | 'person'

type InputMethod = Extract<keyof CdpMethods, `Input.${string}`>
/** The part of a session that takes input. */
export type InputSender = {
  send<M extends InputMethod>(method: M, params: CdpMethods[M]['params'], signal?: AbortSignal): Promise<unknown>
}

export const between = (least: number, most: number) => least + Math.random() * (most - least)

/** The pause of a person before the next key or press of a button; none for a machine. */
export async function hesitate(pace: Pace, signal?: AbortSignal): Promise<void> {
  if (pace === 'person') await sleep(between(30, 120), undefined, { signal })
}
