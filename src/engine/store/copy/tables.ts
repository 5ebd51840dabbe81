/** A table as it is copied: the columns that tell its rows apart, and how many rows go at once. */
export type CopiedTable = { name: string; key: readonly string[]; slice: number }

const few = 20
const many = 500
const t = (name: string, key: string, slice = many): CopiedTable => ({ name, key: key.split(' '), slice })

/** What is copied, so that a row comes after those it refers to. A few at a time where rows may be large. */
export const copiedTables: readonly CopiedTable[] = [
  t('kept_text', 'id', few),
  t('cache_page', 'id'),
  t('cache_body', 'page_id', few),
  t('cache_made', 'page_id variant part', few),
  t('job', 'id', few),
  t('activity', 'team_id created_at id'),
  t('ledger', 'job_id'),
  t('usage_day', 'team_id day key_name'),
  t('usage_month', 'team_id month key_name endpoint'),
  t('model_month', 'team_id month key_name task model'),
  t('team', 'id'),
  t('api_key', 'name'),
  t('host_trait', 'host'),
  t('crawl', 'id', few),
  t('crawl_page', 'seq'),
  t('crawl_host', 'crawl_id host'),
  t('crawl_document', 'crawl_id n', few),
  t('crawl_skip', 'crawl_id url'),
  t('delivery', 'id', few),
  t('delivery_queue', 'crawl_id'),
  t('snapshot', 'team_id url tag', few),
  t('linked_file', 'id', few),
  t('browser_session', 'id'),
  t('workflow', 'id', few),
  t('workflow_step', 'workflow_id name', few),
  t('monitor', 'id'),
  t('keyed_call', 'team_id key_digest', few),
  t('refusal', 'team_id digest'),
]

/** Their triggers count rows of others, which came after them; they are written once more, as they were. */
export const countedTables: readonly string[] = ['kept_text', 'crawl', 'crawl_host', 'delivery_queue']

/** Leases of running programs and of copies, which are left behind, and what is made anew: the index from the pages, shared hosts by triggers. */
export const leftTables: readonly string[] = [
  'quota_worker',
  'node',
  'slot',
  'credit_hold',
  'call_count',
  'page_entry',
  'copying',
  'shared_host',
]
