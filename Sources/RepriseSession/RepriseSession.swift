// RepriseSession
