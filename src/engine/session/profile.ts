import type { SessionWish } from '../../core/session.ts'
import { withDeadline } from '../browser/deadline.ts'
import { collectState, restoreState } from '../browser/profile/state.ts'
import { watchOrigins } from '../browser/profile/state-origins.ts'
import type { StatePlace } from '../browser/profile/state-page.ts'
import type { HeldProfile, ProfileStore } from '../browser/profile/store.ts'

export type SessionProfiles = Pick<ProfileStore, 'open'>
/** The storage that a session brings along and leaves behind. */
export type SessionProfile = {
  /** What could not be put back. */
  readonly warnings: readonly string[]
  /** Writes what the session changed, if its profile was opened for that. Fails when the browser is gone. */
  save(): Promise<void>
  /** Lets others save to it. */
  release(): Promise<void>
}

const saveMs = 30_000
const none: SessionProfile = { warnings: [], save: async () => {}, release: async () => {} }

/** Takes the profile of the wish, before there is a browser to put it into. Fails with PROFILE_IN_USE and PROFILE_UNREADABLE. */
export async function openProfile(profiles: SessionProfiles, { teamId, profile, id }: SessionWish) {
  const held = profile && (await profiles.open(teamId, profile.name, { ...profile, by: `browser session ${id}` }))
  return {
    restore: (place: StatePlace, signal: AbortSignal) => (held ? restore(held, place, signal) : Promise.resolve(none)),
    release: async () => held?.release(),
  }
}

async function restore(held: HeldProfile, place: StatePlace, signal: AbortSignal): Promise<SessionProfile> {
  const { warnings, partial } = await restoreState(place, held.state, signal)
  const origins = await watchOrigins(place, undefined, signal)
  return {
    warnings,
    async save() {
      if (!held.saveChanges) return
      const wish = { visited: origins.seen(), before: held.state, partial }
      const { state } = await withDeadline({ step: 'save the profile', ms: saveMs }, undefined, (within) =>
        collectState(place, wish, within),
      )
      await held.save(state)
    },
    async release() {
      origins.stop()
      await held.release()
    },
  }
}
