// RepriseReport
