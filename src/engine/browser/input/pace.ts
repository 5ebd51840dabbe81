import { setTimeout as sleep } from 'node:timers/promises'
import type { CdpMethod, CdpParams } from '../cdp/session.ts'

/** How mouse and keys are used: as fast as they go, or as a person would. */
export type Pace = 'machine' | 'person'

type InputMethod = Extract<CdpMethod, `Input.${string}`>
/** The part of a session that takes input. */
export type InputSender = {
  send<M extends InputMethod>(method: M, params: CdpParams<M>, signal?: AbortSignal): Promise<unknown>
}

export const between = (least: number, most: number) => least + Math.random() * (most - least)

/** The pause of a person before the next key or press of a button; none for a machine. */
export async function hesitate(pace: Pace, signal?: AbortSignal): Promise<void> {
  if (pace === 'person') await sleep(between(30, 120), undefined, { signal })
}
