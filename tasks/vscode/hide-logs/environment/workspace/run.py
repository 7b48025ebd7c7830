import job.steps
