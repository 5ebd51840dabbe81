/** Operations that return no text of pages, by what they return instead. */
const byReason = {
  'Ids, counts or states.':
    'admin_job_cancel batch_cancel browser_close concurrency_check crawl_cancel credit_usage credit_usage_daily credit_usage_historical extract_cancel feedback interact_stop llmstxt model_usage monitor_checks monitor_delete monitor_run queue_status search_feedback token_balance token_usage',
  'Input of callers or of the admin.':
    'admin_jobs admin_key_revoke admin_team_remove admin_team_set admin_teams agent_list crawl_active monitor_create monitor_get monitor_list monitor_update',
  'Keys and secrets.': 'admin_key_add admin_keys admin_team_secret',
  'A picture or a file.': 'browser_file browser_frame',
  'Addresses of sessions; browser_state describes their pages.': 'browser_list',
  'Patterns of paths, which contain only words of the prompt.': 'crawl_params_preview',
  'Our own documentation.': 'docs_search',
  'Our own sentences about jobs.': 'support_ask',
}

export const untried = Object.values(byReason).flatMap((names) => names.split(' '))
