// RepriseAnalysis
