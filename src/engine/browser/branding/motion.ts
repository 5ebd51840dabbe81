import type { Branding } from '../../../schema/branding.ts'
import { given } from './given.ts'
import type { Sample } from './samples.ts'
import { tally } from './tally.ts'

/** Transitions that repeat; the first of a list stands for it. */
export function motionOf(samples: readonly Sample[]): NonNullable<Branding['animations']> {
  const moving = samples.filter((sample) => sample.px('transition-duration') > 0)
  const repeated = (valueOf: (sample: Sample) => string | undefined) => {
    const [most] = tally(moving, valueOf)
    return most && most[1] > 1 ? most[0] : undefined
  }
  return given({
    transitionDuration: repeated((sample) => sample.css('transition-duration').split(',')[0]),
    easing: repeated((sample) =>
      sample
        .css('transition-timing-function')
        .split(/,(?![^(]*\))/)[0]
        ?.trim(),
    ),
  })
}
