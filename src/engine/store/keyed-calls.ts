/** A call under an idempotency key as it is stored: neither the key nor what was asked for can be read from it. */
export type ClaimedCall = {
  teamId: string
  keyDigest: Uint8Array
  asksDigest: Uint8Array
  jobId: string
  /** Of this attempt. */
  claimId: string
  workerId: string
}
export type Claim =
  | { state: 'claimed'; jobId: string }
  | { state: 'running' }
  | { state: 'other call' }
  /** `answer` is null where nothing was kept of it. */
  | { state: 'answered'; answer: Uint8Array | null }

export type KeyedCalls = {
  /** Whoever comes first has the key for a day. Of a worker whose lease has ended the claim goes on, as the same job. */
  claim(call: ClaimedCall): Promise<Claim>
  /** Unless the claim has gone to another. */
  finish(call: Pick<ClaimedCall, 'claimId'>, answer: Uint8Array | null): Promise<void>
  /** The key is unused again, unless the claim has gone to another. */
  forget(call: Pick<ClaimedCall, 'claimId'>): Promise<void>
}
