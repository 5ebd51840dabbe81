import { fail } from '../../kernel/error.ts'

type RetentionWish = {
  zeroDataRetention: boolean
  onlyCleanContent?: boolean | undefined
  profile?: { saveChanges: boolean } | undefined
}

/**
 * Refuses, with zero data retention, what would keep something of the page or pass it on. Fails with
 * SCRAPE_ZDR_VIOLATION_ERROR.
 */
export function refuseRetention({ zeroDataRetention, onlyCleanContent, profile }: RetentionWish): void {
  const options = [
    ...(onlyCleanContent ? ['onlyCleanContent'] : []),
    ...(profile?.saveChanges ? ['profile.saveChanges'] : []),
  ]
  if (zeroDataRetention && options.length > 0)
    fail('SCRAPE_ZDR_VIOLATION_ERROR', {
      message: `Not possible with zeroDataRetention: ${options.join(' and ')}.`,
      details: { options },
    })
}
